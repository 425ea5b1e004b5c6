import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { constants, createGzip } from 'node:zlib'
import { TAR_END, type TarEntry, tarHeader, tarPadding } from './tar.ts'

/** The last file of an archive: the SHA-256 of every other one, in their order. */
export const CHECKSUMS = 'checksums.json'

/** A tar file, compressed with gzip, that is written from beginning to end. */
export interface ArchiveWriter {
  /** Adds a file. Waits where the disk is slower: no more than this one file is held in memory. */
  add(name: string, bytes: Uint8Array): Promise<void>
  /**
   * Adds a file of a known size as its bytes come: no more than a chunk of them is held in memory. Where they fail, or are
   * fewer or more, the archive can only be given up.
   */
  addStream(name: string, sizeBytes: number, bytes: AsyncIterable<Uint8Array>): Promise<void>
  /** Adds the checksums and waits until everything is written. */
  finish(): Promise<void>
  /** Gives up; what was written stays behind. Does nothing after `finish`. */
  abandon(): Promise<void>
}

const { Z_DEFAULT_STRATEGY, Z_HUFFMAN_ONLY } = constants

/** @param path of a file that only this user may read; what is there is lost */
export function writeArchive(path: string, now: Date): ArchiveWriter {
  let member = openMember(path, { strategy: Z_DEFAULT_STRATEGY, flags: 'w' })
  let isOfText = true
  const checksums = new Map<string, string>()

  /**
   * What people store is mostly compressed already. No byte of it becomes less than a bit, whatever it is: else a file of
   * zeros would be refused as what was made to fill the disk of its reader.
   */
  const endText = async () => {
    if (!isOfText) return
    isOfText = false
    await member.end()
    member = openMember(path, { strategy: Z_HUFFMAN_ONLY, flags: 'a' })
  }
  const file = async (name: string, bytes: Uint8Array) => {
    await member.push(tarHeader({ name, sizeBytes: bytes.length }, now))
    await member.push(bytes)
    await member.push(tarPadding(bytes.length))
  }
  const refuseTwice = (name: string) => {
    if (checksums.has(name)) throw new Error(`${name} is in the archive already`)
  }
  return {
    async add(name, bytes) {
      refuseTwice(name)
      checksums.set(name, createHash('sha256').update(bytes).digest('hex'))
      await file(name, bytes)
    },
    async addStream(name, sizeBytes, bytes) {
      refuseTwice(name)
      const header = tarHeader({ name, sizeBytes }, now)
      await endText()
      await member.push(header)
      checksums.set(name, await pushStream(member, { name, sizeBytes }, bytes))
      await member.push(tarPadding(sizeBytes))
    },
    async finish() {
      await file(CHECKSUMS, Buffer.from(`${JSON.stringify(Object.fromEntries(checksums))}\n`))
      await member.push(TAR_END)
      await member.end()
    },
    abandon: () => member.abandon(),
  }
}

/** @returns the checksum of the bytes */
async function pushStream(
  member: Member,
  { name, sizeBytes }: TarEntry,
  bytes: AsyncIterable<Uint8Array>,
): Promise<string> {
  const hash = createHash('sha256')
  let left = sizeBytes
  for await (const chunk of bytes) {
    left -= chunk.length
    if (left < 0) break
    hash.update(chunk)
    await member.push(chunk)
  }
  if (left !== 0) throw new Error(`${name} has other bytes than its size says`)
  return hash.digest('hex')
}

/** One of the stretches that a gzip file consists of: each is compressed in its own way, and readers see one text. */
interface Member {
  push(bytes: Uint8Array): Promise<void>
  end(): Promise<void>
  abandon(): Promise<void>
}

function openMember(path: string, { strategy, flags }: { strategy: number; flags: 'w' | 'a' }): Member {
  const gzip = createGzip({ strategy })
  const written = pipeline(gzip, createWriteStream(path, { mode: 0o600, flags }))
  let failure: Error | undefined
  let stop: ((error: Error) => void) | undefined
  written.catch((error: Error) => {
    failure = error
    stop?.(error)
  })
  return {
    push: (bytes) =>
      new Promise((resolve, reject) => {
        if (failure) return reject(failure)
        if (gzip.write(bytes)) return resolve()
        stop = reject
        gzip.once('drain', resolve)
      }),
    async end() {
      gzip.end()
      await written
    },
    async abandon() {
      gzip.destroy()
      await written.catch(() => {})
    },
  }
}
