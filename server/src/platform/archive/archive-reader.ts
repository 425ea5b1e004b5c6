import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createGunzip } from 'node:zlib'
import { CHECKSUMS } from './archive-writer.ts'
import { ArchiveProblem, readTarHeader, TAR_BLOCK, type TarEntry } from './tar.ts'

/** A file that is held in memory. */
export interface ArchiveFile {
  name: string
  bytes: Buffer
}

/** The file of an archive that is its turn. What is not read of it when the next one is asked for is passed over. */
export interface ArchiveEntry {
  name: string
  sizeBytes: number
  /** Its bytes as they come, once. */
  chunks(): AsyncIterable<Buffer>
  /** All of it. @throws ArchiveProblem where it is larger than what is ever held */
  hold(): Promise<ArchiveFile>
}

/** No file of ours that is held is as large: chapters come in parts. */
const HELD_MAX = 32 * 1024 * 1024
/** Of what is unpacked at once. */
const CHUNK_BYTES = 64 * 1024
/** Text of ours is a tenth of its size when compressed; what is made of nothing else than zeros a thousandth. */
const RATIO_MAX = 200
const ALWAYS_ALLOWED = 64 * 1024 * 1024

/**
 * The files of an archive in their order, but for the checksums, which are compared: what was read before the end is
 * not yet known to be whole.
 * @throws ArchiveProblem where it is not as `writeArchive` writes them, unpacks to far more than it is, or was cut off
 */
export async function* readArchive(path: string): AsyncGenerator<ArchiveEntry> {
  const unpacked = blocksOf(path)
  const checksums = new Map<string, string>()
  let listed: Buffer | undefined
  try {
    for (;;) {
      const header = readTarHeader(await unpacked.take(TAR_BLOCK))
      if (!header) break
      const { name } = header
      if (listed) throw new ArchiveProblem('The archive goes on behind its checksums')
      if (checksums.has(name)) throw new ArchiveProblem(`${name} is in the archive twice`)
      const turn = turnOf(unpacked, header)
      if (name === CHECKSUMS) listed = (await turn.entry.hold()).bytes
      else yield turn.entry
      const checksum = await turn.end()
      if (name !== CHECKSUMS) checksums.set(name, checksum)
    }
    if (readTarHeader(await unpacked.take(TAR_BLOCK)) || (await unpacked.hasMore()))
      throw new ArchiveProblem('The archive goes on behind its end')
  } finally {
    unpacked.close()
  }
  if (!listed) throw new ArchiveProblem('The archive is not whole: its checksums are missing')
  if (listed.toString() !== `${JSON.stringify(Object.fromEntries(checksums))}\n`)
    throw new ArchiveProblem('The archive was changed: its files are not those of its checksums')
}

function turnOf(unpacked: Unpacked, { name, sizeBytes }: TarEntry) {
  const hash = createHash('sha256')
  let left = sizeBytes
  const next = async () => {
    const chunk = await unpacked.some(left)
    left -= chunk.length
    hash.update(chunk)
    return chunk
  }
  const chunks = async function* () {
    while (left > 0) yield await next()
  }
  const entry: ArchiveEntry = {
    ...{ name, sizeBytes, chunks },
    async hold() {
      if (sizeBytes > HELD_MAX) throw new ArchiveProblem(`${name} is larger than any file of an archive`)
      const held: Buffer[] = []
      for await (const chunk of chunks()) held.push(chunk)
      return { name, bytes: Buffer.concat(held) }
    },
  }
  return {
    entry,
    /** @returns the checksum */
    async end(): Promise<string> {
      while (left > 0) await next()
      await unpacked.take((TAR_BLOCK - (sizeBytes % TAR_BLOCK)) % TAR_BLOCK)
      return hash.digest('hex')
    },
  }
}

interface Unpacked {
  /** The next so many bytes. @throws ArchiveProblem where there are not as many */
  take(count: number): Promise<Buffer>
  /** The next bytes, as many as are there, and one of them at least. @throws ArchiveProblem where there are none */
  some(most: number): Promise<Buffer>
  hasMore(): Promise<boolean>
  close(): void
}

function blocksOf(path: string): Unpacked {
  const { more, close } = unpackedChunks(path)
  let held: Buffer[] = []
  let heldBytes = 0

  const hold = async () => {
    const chunk = await more()
    if (!chunk) return false
    held.push(chunk)
    heldBytes += chunk.length
    return true
  }
  const require = async (count: number) => {
    while (heldBytes < count)
      if (!(await hold())) throw new ArchiveProblem('The archive is not whole: it was cut off')
  }
  const cut = (count: number) => {
    const all = held.length === 1 ? (held[0] as Buffer) : Buffer.concat(held)
    held = [all.subarray(count)]
    heldBytes -= count
    return all.subarray(0, count)
  }
  return {
    async take(count) {
      await require(count)
      return cut(count)
    },
    async some(most) {
      await require(1)
      return cut(Math.min(most, heldBytes))
    },
    hasMore: async () => heldBytes > 0 || (await hold()),
    close,
  }
}

function unpackedChunks(path: string) {
  const file = createReadStream(path)
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES })
  file.once('error', (error) => gunzip.destroy(error))
  const chunks = file.pipe(gunzip)[Symbol.asyncIterator]()
  let total = 0
  let allowed: number | undefined
  return {
    /** @returns undefined at the end. @throws ArchiveProblem */
    async more(): Promise<Buffer | undefined> {
      const next = await chunks.next().catch((cause: unknown) => {
        const { code } = cause as { code?: string }
        if (code?.startsWith('Z_'))
          throw new ArchiveProblem('The file is damaged, or no archive of this kind', { cause })
        throw cause
      })
      if (next.done) return undefined
      const chunk = next.value as Buffer
      allowed ??= Math.max(ALWAYS_ALLOWED, (await stat(path)).size * RATIO_MAX)
      total += chunk.length
      if (total > allowed) throw new ArchiveProblem('The archive unpacks to far more than it can hold')
      return chunk
    },
    close() {
      file.destroy()
      gunzip.destroy()
    },
  }
}
