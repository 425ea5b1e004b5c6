import {
  type ArchiveChapter,
  type ArchivedRow,
  type ChapterImport,
  columnsOf,
  type Numbered,
  numbersOf,
} from '../../directory/archive-chapter.ts'
import { type ArchiveEntry, type ArchiveFile, readArchive } from '../../platform/archive/archive-reader.ts'
import { ArchiveProblem } from '../../platform/archive/tar.ts'
import {
  type ArchiveHeader,
  FORMAT,
  FORMAT_VERSION,
  HEADER,
  isFileKey,
  KEY_COLUMNS,
  MISSING,
  partName,
  storedBytesMax,
  storedKeyOf,
} from './archive-format.ts'
import { type ChapterDigest, type RowsDigest, rowsDigest } from './compare-rows.ts'

/** An archive of an organization that was read to its end, and found to be as this release writes them. */
export interface VerifiedArchive {
  path: string
  header: ArchiveHeader & { organization: NonNullable<ArchiveHeader['organization']> }
  /** The types of the pictures and files that it holds, by their keys. */
  stored: ReadonlyMap<string, string>
  /** Keys of pictures and files that its rows name, and that it does not hold. */
  missing: readonly string[]
  /** The highest number of each kind that a column of it names. */
  highest: ReadonlyMap<Numbered, number>
  /** Where the beginning of its audit trail was removed. */
  cut: { sequence: string; hash: Buffer } | undefined
  /** Of each chapter of it, as the office has written it that it comes from. */
  digests: ReadonlyMap<string, ChapterDigest>
}

/** Where a chapter says nothing else. */
const LINE_MAX = 1024 * 1024
/** Nothing of ours is nested as deep; what works through values by itself ends at some depth. */
const DEPTH_MAX = 64
/** Behind the last id there has to be room for all that ever follow. */
const ID_MAX = 2 ** 52
const NAME_MAX = 1_000

/**
 * Reads all of an archive before anything is stored of it. Everything in it may be hostile.
 * @throws ArchiveProblem with a sentence for the operator
 */
export async function verifyArchive(
  path: string,
  chapters: readonly ArchiveChapter[],
): Promise<VerifiedArchive> {
  let state: ReturnType<typeof verification> | undefined
  let header: VerifiedArchive['header'] | undefined
  for await (const entry of readArchive(path)) {
    if (state) {
      await state.take(entry)
      continue
    }
    header = readHeader(await entry.hold(), chapters)
    state = verification(header, chapters)
  }
  if (!state || !header) throw new ArchiveProblem('The archive is empty')
  return { path, header, ...state.end() }
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
  const { id, organizationId, name: organizationName } = header.organization ?? {}
  if (typeof id !== 'string' || typeof organizationId !== 'string' || !/^[1-9]\d{0,15}$/.test(id))
    throw new ArchiveProblem('The archive does not say which organization it is of')
  if (typeof organizationName !== 'string' || !isPrintable(organizationName))
    throw new ArchiveProblem(`${HEADER} has no name of an organization`)
  if (typeof header.madeAt !== 'string' || !isMoment(header.madeAt))
    throw new ArchiveProblem(`${HEADER} does not say when the archive was made`)
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

/** Takes files in the order in which they are written: chapter by chapter, part by part, and then pictures and files. */
function verification(header: VerifiedArchive['header'], chapters: readonly ArchiveChapter[]) {
  const expected = chapters.filter(({ organization }) => organization)
  const wanted = new Map<string, string>()
  const stored = new Map<string, string>()
  const named = namedRows()
  const digests = new Map<string, ChapterDigest>()
  let at = 0
  let part = 0
  let read: RowsDigest = rowsDigest()

  const endChapter = () => {
    const said = header.chapters[at]
    if (said) digests.set(said.name, countedDigest(read, said))
    at += 1
    part = 0
    read = rowsDigest()
  }
  const takeStored = async (key: string, entry: ArchiveEntry) => {
    while (at < expected.length) endChapter()
    const type = wanted.get(key)
    if (type === undefined) throw new ArchiveProblem(`Nothing in the archive names the picture ${key}`)
    await refuseStored(key, entry)
    stored.set(key, type)
  }
  const takePart = ({ name, bytes }: ArchiveFile) => {
    while (at < expected.length && name !== partName(expected[at]?.name as string, part + 1)) endChapter()
    const chapter = expected[at]
    if (!chapter) throw new ArchiveProblem(`The archive has a file that does not belong to it: ${name}`)
    part += 1
    read.add(linesOf({ name, bytes }))
    for (const [index, row] of rowsOf({ name, bytes }, chapter).entries()) {
      const place = `${name}, line ${index + 1}`
      refuseRow(row, chapter, header, place)
      named.note(row, chapter, place)
      for (const key of keysIn(row)) wanted.set(key, typeOf(key, row))
    }
  }
  return {
    async take(entry: ArchiveEntry): Promise<void> {
      const key = storedKeyOf(entry.name)
      if (key !== undefined) await takeStored(key, entry)
      // rows and files say it themselves
      else if (entry.name !== MISSING) takePart(await entry.hold())
    },
    end(): Pick<VerifiedArchive, 'stored' | 'missing' | 'highest' | 'cut' | 'digests'> {
      while (at < expected.length) endChapter()
      return { stored, missing: lacking(wanted, stored), digests, ...named.end() }
    },
  }
}

/** Keys that are wanted, and not there. */
function lacking(wanted: ReadonlyMap<string, string>, stored: ReadonlyMap<string, string>): string[] {
  return [...wanted.keys()].filter((key) => !stored.has(key))
}

/** @throws ArchiveProblem where it is not what lies under such a key */
async function refuseStored(key: string, entry: ArchiveEntry): Promise<void> {
  if (entry.sizeBytes > storedBytesMax(key)) throw new ArchiveProblem(`${key} is too large`)
  if (!isFileKey(key) && !isImage((await entry.hold()).bytes))
    throw new ArchiveProblem(`${key} is no picture`)
}

function countedDigest(read: RowsDigest, { name, rows }: ArchiveHeader['chapters'][number]): ChapterDigest {
  const digest = read.read()
  if (digest.rows !== rows)
    throw new ArchiveProblem(`The chapter ${name} has ${digest.rows} rows, and the archive says ${rows}`)
  return digest
}

/** What rows say of each other, over all chapters. */
function namedRows() {
  const highest = new Map<Numbered, number>()
  const rooms = new Set<unknown>()
  let cut: VerifiedArchive['cut']
  return {
    note(row: ArchivedRow, chapter: ArchiveChapter, place: string): void {
      for (const [column, numbered] of numbersOf(chapter)) {
        const number = row[column]
        if (number === null) continue
        if (!isId(number)) throw new ArchiveProblem(`${place}: the row names something by what is no number`)
        highest.set(numbered, Math.max(highest.get(numbered) ?? 0, number))
      }
      if (chapter.table === 'rooms') rooms.add(row.id)
      // in an office with people there are rooms of others
      else if (typeof row.room_id === 'string' && !rooms.has(row.room_id))
        throw new ArchiveProblem(`${place}: the row is of a room that the archive does not have`)
      if (chapter.table === 'audit_cuts')
        cut = { sequence: String(row.sequence), hash: Buffer.from(String(row.hash).slice(2), 'hex') }
    },
    end: () => ({ highest, cut }),
  }
}

/** The rows of one file of a chapter. @throws ArchiveProblem */
export function rowsOf(file: ArchiveFile, chapter: ArchiveChapter): ArchivedRow[] {
  const columns = JSON.stringify(columnsOf(chapter, 'organization'))
  const lineMax = chapter.lineMax ?? LINE_MAX
  return linesOf(file).map((line, index) => {
    const place = `${file.name}, line ${index + 1}`
    const row = line.length > lineMax ? undefined : parse(line, place)
    if (typeof row !== 'object' || row === null || JSON.stringify(Object.keys(row)) !== columns)
      throw new ArchiveProblem(`${place}: this is no row of it`)
    return row as ArchivedRow
  })
}

/** @throws ArchiveProblem where the last one is cut off */
export function linesOf({ name, bytes }: ArchiveFile): string[] {
  const lines = bytes.toString().split('\n')
  if (lines.pop() !== '') throw new ArchiveProblem(`${name}, line ${lines.length + 1}: it is cut off`)
  return lines
}

/** How the rows of a chapter come back; undefined where they do not. */
export function importOf({ organization }: ArchiveChapter): ChapterImport | undefined {
  const imported = organization?.imported
  return imported && !('never' in imported) ? imported : undefined
}

function refuseRow(
  row: ArchivedRow,
  chapter: ArchiveChapter,
  { organization }: VerifiedArchive['header'],
  place: string,
): void {
  const column = chapter.organization?.organizationColumn
  if (column && String(row[column]) !== organization.id)
    throw new ArchiveProblem(`${place}: the row is of another organization`)
  if (chapter.table === 'organizations' && row.identity_organization_id !== organization.organizationId)
    throw new ArchiveProblem(`${place}: the archive names its organization in two ways`)
  const imported = importOf(chapter)
  if (imported?.sequence && !isId(row[imported.sequence.column]))
    throw new ArchiveProblem(`${place}: the row has no id that the next ones can follow`)
  const problem = imported?.problem?.(row, organization.organizationId)
  if (problem) throw new ArchiveProblem(`${place}: the row ${problem}`)
}

const isId = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= ID_MAX

const isPrintable = (text: string) =>
  text.length <= NAME_MAX && text.isWellFormed() && !/[\p{Cc}\p{Cf}]/u.test(text)

const isMoment = (text: string) =>
  /^\d{4}-\d\d-\d\dT[\d:.]{8,15}Z$/.test(text) && !Number.isNaN(Date.parse(text))

function parse(text: string, where: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new ArchiveProblem(`${where} is not JSON`, { cause })
  }
  if (isNestedTooDeep(value))
    throw new ArchiveProblem(`${where}: it is nested deeper than anything of Atrium`)
  return value
}

/** Level by level: what calls itself would end where the stack does. */
function isNestedTooDeep(value: unknown): boolean {
  let level = [value]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > DEPTH_MAX) return true
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []))
  }
  return false
}

const IMAGE_TYPES: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
}

const keysIn = (row: ArchivedRow): string[] =>
  KEY_COLUMNS.map((column) => row[column]).filter((key) => typeof key === 'string')

/** The type of what lies under a key: of a picture its ending says it, of a file its row. */
function typeOf(key: string, row: ArchivedRow): string {
  const ofEnding = IMAGE_TYPES[key.slice(key.lastIndexOf('.') + 1)]
  return ofEnding ?? (typeof row.content_type === 'string' ? row.content_type : 'application/octet-stream')
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
