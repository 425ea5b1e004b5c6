import { sql } from 'kysely'
import { columnsOf } from '../../directory/archive-chapter.ts'
import { type ArchiveWriter, writeArchive } from '../../platform/archive/archive-writer.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { transactionOnce } from '../../platform/database/transaction.ts'
import { VERSION } from '../../platform/version.ts'
import type { ObjectStoragePort } from '../../ports/object-storage.ts'
import {
  type ArchiveHeader,
  FORMAT,
  FORMAT_VERSION,
  HEADER,
  MISSING,
  partName,
  storedBytesMax,
  storedName,
} from './archive-format.ts'
import { type Archived, chaptersOf, countRows, readRows, readStoredKeys } from './chapter-rows.ts'

export interface BuildNeeds {
  /** With a connection of its own: it is held while all is read. */
  db: Db
  storage: Pick<ObjectStoragePort, 'open'>
}

export interface Build {
  archived: Archived
  about: Pick<ArchiveHeader, 'organization' | 'person'>
  path: string
  now: Date
  signal: AbortSignal
  /** Told how much is written: from 0 to 1. */
  onProgress(part: number): Promise<void>
}

/** How much of a chapter becomes one file, about: also what is held in memory. */
const PART_BYTES = 1024 * 1024

/**
 * Writes an archive to a file of this machine. All rows are of one moment. Pictures and files are read afterwards, for nothing
 * outside is asked while the transaction is open: one that is gone by then is missing, and the archive says so.
 * @returns the keys of those that are missing
 */
export async function buildArchive(needs: BuildNeeds, build: Build): Promise<{ missing: string[] }> {
  const archive = writeArchive(build.path, build.now)
  const missing: string[] = []
  try {
    const keys = await inOneMoment(needs.db, (tx) => writeChapters(tx, archive, build))
    for (const key of keys) {
      build.signal.throwIfAborted()
      if (!(await writeStored(needs.storage, archive, key, build.signal))) missing.push(key)
    }
    if (missing.length > 0) await archive.add(MISSING, Buffer.from(`${JSON.stringify(missing)}\n`))
    await archive.finish()
  } finally {
    await archive.abandon()
  }
  return { missing }
}

/** Reads rows of one moment, in the form that they have in every archive, wherever the database is. */
export async function inOneMoment<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  const inOneForm = async (tx: Tx) => {
    await sql`select set_config('TimeZone', 'UTC', true), set_config('bytea_output', 'hex', true)`.execute(tx)
    return await work(tx)
  }
  return await transactionOnce(db, inOneForm, { ofOneMoment: true })
}

/** @returns the keys of the pictures and files that belong to it */
async function writeChapters(tx: Tx, archive: ArchiveWriter, build: Build): Promise<string[]> {
  const { archived, about, now, signal, onProgress } = build
  const chapters = chaptersOf(archived)
  const described: ArchiveHeader['chapters'][number][] = []
  for (const chapter of chapters) {
    const rows = await countRows(tx, archived, chapter)
    described.push({ name: chapter.name, rows, columns: columnsOf(chapter, archived.kind) })
  }
  const header: ArchiveHeader = {
    format: FORMAT,
    version: FORMAT_VERSION,
    kind: archived.kind,
    madeAt: now.toISOString(),
    madeBy: `Atrium ${VERSION}`,
    ...about,
    chapters: described,
  }
  await archive.add(HEADER, Buffer.from(`${JSON.stringify(header, undefined, 2)}\n`))
  const total = described.reduce((sum, { rows }) => sum + rows, 0)
  let written = 0
  for (const chapter of chapters) {
    const part = partsOf(archive, chapter.name)
    for await (const lines of readRows(tx, archived, chapter)) {
      signal.throwIfAborted()
      await part.add(lines)
      written += lines.length
      await onProgress(written / Math.max(total, 1))
    }
    await part.end()
  }
  return await readStoredKeys(tx, archived)
}

/** Gathers lines until there are enough for a file. */
function partsOf(archive: ArchiveWriter, chapter: string) {
  let text: string[] = []
  let size = 0
  let count = 0
  const end = async () => {
    if (text.length === 0) return
    count += 1
    await archive.add(partName(chapter, count), Buffer.from(`${text.join('\n')}\n`))
    text = []
    size = 0
  }
  return {
    end,
    async add(lines: readonly string[]) {
      for (const line of lines) {
        text.push(line)
        size += line.length
        if (size >= PART_BYTES) await end()
      }
    },
  }
}

/** @returns false where it is not there */
async function writeStored(
  storage: BuildNeeds['storage'],
  archive: ArchiveWriter,
  key: string,
  signal: AbortSignal,
): Promise<boolean> {
  const found = await storage.open({ key })
  if (!found) return false
  try {
    if (found.sizeBytes > storedBytesMax(key)) return false
    await archive.addStream(storedName(key), found.sizeBytes, untilAborted(found.bytes, signal))
    return true
  } finally {
    await found.close()
  }
}

async function* untilAborted(bytes: AsyncIterable<Uint8Array>, signal: AbortSignal) {
  for await (const chunk of bytes) {
    signal.throwIfAborted()
    yield chunk
  }
}
