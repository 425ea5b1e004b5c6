import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { TAR_END, tarHeader, tarPadding } from './tar.ts'

/** The last file of an archive: the SHA-256 of every other one, in their order. */
export const CHECKSUMS = 'checksums.json'

/** A tar file, compressed with gzip, that is written from beginning to end. */
export interface ArchiveWriter {
  /** Adds a file. Waits where the disk is slower: no more than this one file is held in memory. */
  add(name: string, bytes: Uint8Array): Promise<void>
  /** Adds the checksums and waits until everything is written. */
  finish(): Promise<void>
  /** Gives up; what was written stays behind. Does nothing after `finish`. */
  abandon(): Promise<void>
}

/** @param path of a file that only this user may read; what is there is lost */
export function writeArchive(path: string, now: Date): ArchiveWriter {
  const gzip = createGzip()
  const written = pipeline(gzip, createWriteStream(path, { mode: 0o600 }))
  // a later write rejects with it
  const failed = written.then(() => new Promise<never>(() => {}))
  failed.catch(() => {})
  const checksums = new Map<string, string>()

  const push = async (bytes: Uint8Array) => {
    if (!gzip.write(bytes)) await Promise.race([once(gzip, 'drain'), failed])
  }
  const file = async (name: string, bytes: Uint8Array) => {
    await push(tarHeader({ name, sizeBytes: bytes.length }, now))
    await push(bytes)
    await push(tarPadding(bytes.length))
  }
  return {
    async add(name, bytes) {
      if (checksums.has(name)) throw new Error(`${name} is in the archive already`)
      checksums.set(name, createHash('sha256').update(bytes).digest('hex'))
      await file(name, bytes)
    },
    async finish() {
      await file(CHECKSUMS, Buffer.from(`${JSON.stringify(Object.fromEntries(checksums))}\n`))
      gzip.end(TAR_END)
      await written
    },
    async abandon() {
      gzip.destroy()
      await written.catch(() => {})
    },
  }
}
