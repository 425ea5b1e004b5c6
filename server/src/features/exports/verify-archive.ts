import {
  type ArchiveChapter,
  type ArchivedRow,
  type ChapterImport,
  columnsOf,
} from '../../directory/archive-chapter.ts'
import { type ArchiveFile, readArchive } from '../../platform/archive/archive-reader.ts'
import { ArchiveProblem } from '../../platform/archive/tar.ts'
import {
  type ArchiveHeader,
  FORMAT,
  FORMAT_VERSION,
  HEADER,
  partName,
  pictureKeyOf,
} from './archive-format.ts'

/** An archive of an organization that was read to its end, and found to be as this release writes them. */
export interface VerifiedArchive {
  path: string
  header: ArchiveHeader & { organization: NonNullable<ArchiveHeader['organization']> }
  /** Keys of the pictures that it holds. */
  pictures: ReadonlySet<string>
}

const LINE_MAX = 1024 * 1024
const PICTURE_MAX = 8 * 1024 * 1024

/**
 * Reads all of an archive before anything is stored of it. Everything in it may be hostile.
 * @throws ArchiveProblem with a sentence for whoever gave it
 */
export async function verifyArchive(
  path: string,
  chapters: readonly ArchiveChapter[],
): Promise<VerifiedArchive> {
  let state: ReturnType<typeof verification> | undefined
  let header: VerifiedArchive['header'] | undefined
  for await (const file of readArchive(path)) {
    if (state) {
      state.take(file)
      continue
    }
    header = readHeader(file, chapters)
    state = verification(header, chapters)
  }
  if (!state || !header) throw new ArchiveProblem('The archive is empty')
  return { path, header, pictures: state.end() }
}

function readHeader(file: ArchiveFile, chapters: readonly ArchiveChapter[]): VerifiedArchive['header'] {
  if (file.name !== HEADER) throw new ArchiveProblem(`The archive does not begin with ${HEADER}`)
  const header = parse(file.bytes.toString(), HEADER) as Partial<ArchiveHeader>
  if (header.format !== FORMAT) throw new ArchiveProblem('This is no archive of Atrium')
  if (header.version !== FORMAT_VERSION)
    throw new ArchiveProblem(
      `The archive has version ${JSON.stringify(header.version)}; this release reads version ${FORMAT_VERSION}`,
    )
  if (header.kind !== 'organization')
    throw new ArchiveProblem('Only the archive of an organization can be imported, and this is of a person')
  const { id, organizationId } = header.organization ?? {}
  if (typeof id !== 'string' || typeof organizationId !== 'string' || !/^[1-9]\d{0,15}$/.test(id))
    throw new ArchiveProblem('The archive does not say which organization it is of')
  const expected = chapters.filter(({ organization }) => organization)
  const named = Array.isArray(header.chapters) ? header.chapters : []
  const isAsExpected =
    named.length === expected.length &&
    expected.every((chapter, index) => {
      const { name, rows, columns } = named[index] ?? {}
      return (
        name === chapter.name &&
        Number.isSafeInteger(rows) &&
        JSON.stringify(columns) === JSON.stringify(columnsOf(chapter, 'organization'))
      )
    })
  if (!isAsExpected) throw new ArchiveProblem('The archive has other chapters or columns than this release')
  return header as VerifiedArchive['header']
}

/** Takes files in the order in which they are written: chapter by chapter, part by part, and then pictures. */
function verification(header: VerifiedArchive['header'], chapters: readonly ArchiveChapter[]) {
  const expected = chapters.filter(({ organization }) => organization)
  const wanted = new Set<string>()
  const pictures = new Set<string>()
  let at = 0
  let part = 0
  let rows = 0

  const endChapter = () => {
    const { name, rows: said } = header.chapters[at] ?? {}
    if (rows !== said)
      throw new ArchiveProblem(`The chapter ${name} has ${rows} rows, and the archive says ${said}`)
    at += 1
    part = 0
    rows = 0
  }
  const takePicture = (key: string, bytes: Buffer) => {
    while (at < expected.length) endChapter()
    if (!wanted.has(key)) throw new ArchiveProblem(`Nothing in the archive names the picture ${key}`)
    if (bytes.length > PICTURE_MAX || !isImage(bytes)) throw new ArchiveProblem(`${key} is no picture`)
    pictures.add(key)
  }
  const takePart = ({ name, bytes }: ArchiveFile) => {
    while (at < expected.length && name !== partName(expected[at]?.name as string, part + 1)) endChapter()
    const chapter = expected[at]
    if (!chapter) throw new ArchiveProblem(`The archive has a file that does not belong to it: ${name}`)
    part += 1
    for (const row of rowsOf(bytes, chapter)) {
      rows += 1
      refuseRow(row, chapter, header)
      for (const key of [row.avatar_key, row.logo_key]) if (typeof key === 'string') wanted.add(key)
    }
  }
  return {
    take(file: ArchiveFile) {
      const key = pictureKeyOf(file.name)
      if (key === undefined) takePart(file)
      else takePicture(key, file.bytes)
    },
    end(): ReadonlySet<string> {
      while (at < expected.length) endChapter()
      return pictures
    },
  }
}

/** The rows of one file of a chapter. @throws ArchiveProblem */
export function rowsOf(bytes: Buffer, chapter: ArchiveChapter): ArchivedRow[] {
  const columns = JSON.stringify(columnsOf(chapter, 'organization'))
  return linesOf(bytes).map((line) => {
    const row = line.length > LINE_MAX ? undefined : parse(line, chapter.name)
    if (typeof row !== 'object' || row === null || JSON.stringify(Object.keys(row)) !== columns)
      throw new ArchiveProblem(`A line of the chapter ${chapter.name} is no row of it`)
    return row as ArchivedRow
  })
}

export function linesOf(bytes: Buffer): string[] {
  return bytes.toString().split('\n').slice(0, -1)
}

/** How the rows of a chapter come back; undefined where they do not. */
export function importOf({ organization }: ArchiveChapter): ChapterImport | undefined {
  const imported = organization?.imported
  return imported && !('never' in imported) ? imported : undefined
}

function refuseRow(row: ArchivedRow, chapter: ArchiveChapter, header: VerifiedArchive['header']): void {
  const column = chapter.organization?.organizationColumn
  if (column && String(row[column]) !== header.organization.id)
    throw new ArchiveProblem(`A row of the chapter ${chapter.name} is of another organization`)
  if (
    chapter.table === 'organizations' &&
    row.identity_organization_id !== header.organization.organizationId
  )
    throw new ArchiveProblem('The archive names its organization in two ways')
  const problem = importOf(chapter)?.problem?.(row)
  if (problem) throw new ArchiveProblem(`A row of the chapter ${chapter.name} ${problem}`)
}

function parse(text: string, where: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ArchiveProblem(`${where} is not JSON`, { cause })
  }
}

/** JPEG, PNG or WebP, by what they begin with. */
function isImage(bytes: Buffer): boolean {
  const head = bytes.toString('latin1', 0, 12)
  return (
    head.startsWith('\u00ff\u00d8\u00ff') ||
    head.startsWith('\u0089PNG\r\n\u001a\n') ||
    /^RIFF.{4}WEBP/s.test(head)
  )
}
