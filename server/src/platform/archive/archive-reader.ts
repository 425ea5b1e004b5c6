import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createGunzip } from 'node:zlib'
import { CHECKSUMS } from './archive-writer.ts'
import { ArchiveProblem, readTarHeader, TAR_BLOCK } from './tar.ts'

export interface ArchiveFile {
  name: string
  bytes: Buffer
}

/** No file of ours is as large: chapters come in parts. Also what is held in memory. */
const FILE_MAX = 32 * 1024 * 1024
/** Text of ours is a tenth of its size when compressed; what is made of nothing else than zeros a thousandth. */
const RATIO_MAX = 200
const ALWAYS_ALLOWED = 64 * 1024 * 1024

/**
 * The files of an archive in their order, but for the checksums, which are compared: what was read before the end is
 * not yet known to be whole.
 * @throws ArchiveProblem where it is not as `writeArchive` writes them, unpacks to far more than it is, or was cut off
 */
export async function* readArchive(path: string): AsyncGenerator<ArchiveFile> {
  const checksums = new Map<string, string>()
  let listed: Buffer | undefined
  for await (const { name, bytes } of filesOf(path)) {
    if (listed) throw new ArchiveProblem('The archive goes on behind its checksums')
    if (name === CHECKSUMS) {
      listed = bytes
      continue
    }
    if (checksums.has(name)) throw new ArchiveProblem(`${name} is in the archive twice`)
    checksums.set(name, createHash('sha256').update(bytes).digest('hex'))
    yield { name, bytes }
  }
  if (!listed) throw new ArchiveProblem('The archive is not whole: its checksums are missing')
  if (listed.toString() !== `${JSON.stringify(Object.fromEntries(checksums))}\n`)
    throw new ArchiveProblem('The archive was changed: its files are not those of its checksums')
}

async function* filesOf(path: string): AsyncGenerator<ArchiveFile> {
  const unpacked = blocksOf(path)
  try {
    for (;;) {
      const entry = readTarHeader(await unpacked.take(TAR_BLOCK))
      if (!entry) break
      const { name, sizeBytes } = entry
      if (sizeBytes > FILE_MAX) throw new ArchiveProblem(`${name} is larger than any file of an archive`)
      const bytes = await unpacked.take(sizeBytes)
      await unpacked.take((TAR_BLOCK - (sizeBytes % TAR_BLOCK)) % TAR_BLOCK)
      yield { name, bytes }
    }
    if (readTarHeader(await unpacked.take(TAR_BLOCK)) || (await unpacked.hasMore()))
      throw new ArchiveProblem('The archive goes on behind its end')
  } finally {
    unpacked.close()
  }
}

interface Unpacked {
  /** The next so many bytes. @throws ArchiveProblem where there are not as many */
  take(count: number): Promise<Buffer>
  hasMore(): Promise<boolean>
  close(): void
}

function blocksOf(path: string): Unpacked {
  const file = createReadStream(path)
  const gunzip = createGunzip()
  file.once('error', (error) => gunzip.destroy(error))
  const chunks = file.pipe(gunzip)[Symbol.asyncIterator]()
  let held: Buffer[] = []
  let heldBytes = 0
  let total = 0
  let allowed: number | undefined

  const more = async () => {
    const next = await chunks.next().catch((cause: unknown) => {
      const { code } = cause as { code?: string }
      if (code?.startsWith('Z_'))
        throw new ArchiveProblem('The file is damaged, or no archive of this kind', { cause })
      throw cause
    })
    if (next.done) return false
    const chunk = next.value as Buffer
    allowed ??= Math.max(ALWAYS_ALLOWED, (await stat(path)).size * RATIO_MAX)
    total += chunk.length
    if (total > allowed) throw new ArchiveProblem('The archive unpacks to far more than it can hold')
    held.push(chunk)
    heldBytes += chunk.length
    return true
  }
  return {
    async take(count) {
      while (heldBytes < count) {
        if (!(await more())) throw new ArchiveProblem('The archive is not whole: it was cut off')
      }
      const all = held.length === 1 ? (held[0] as Buffer) : Buffer.concat(held)
      held = [all.subarray(count)]
      heldBytes -= count
      return all.subarray(0, count)
    },
    hasMore: async () => heldBytes > 0 || (await more()),
    close() {
      file.destroy()
      gunzip.destroy()
    },
  }
}
