import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { every } from '../timers.ts'

/** Files of one folder that only grow: what a killed process has not written yet is less than a second. */
export interface AppendedFiles {
  append(file: string, bytes: Buffer): void
  /** Writes what is left. */
  close(): Promise<void>
}

const WRITE_EVERY_MS = 250
/** Waiting for a disk that does not keep up. */
const WAITING_BYTES_MAX = 64 * 1024 * 1024

/** @param onFailed told once; nothing is written any more */
export function openAppendedFiles(folder: string, onFailed: (error: unknown) => void): AppendedFiles {
  let waiting = new Map<string, Buffer[]>()
  let waitingBytes = 0
  let writing = Promise.resolve()
  let failed = false

  const fail = (error: unknown) => {
    if (failed) return
    failed = true
    waiting.clear()
    onFailed(error)
  }
  const write = async () => {
    const files = waiting
    waiting = new Map()
    waitingBytes = 0
    for (const [file, chunks] of files)
      if (!failed) await appendFile(join(folder, file), Buffer.concat(chunks), { mode: 0o600 })
  }
  const writeNext = () => {
    writing = writing.then(write).catch(fail)
    return writing
  }
  const timer = every(WRITE_EVERY_MS, writeNext, fail)
  return {
    append(file, bytes) {
      if (failed) return
      waitingBytes += bytes.length
      if (waitingBytes > WAITING_BYTES_MAX) return fail(new Error('the disk does not keep up'))
      const chunks = waiting.get(file)
      if (chunks) chunks.push(bytes)
      else waiting.set(file, [bytes])
    },
    async close() {
      timer.stop()
      await writeNext()
    },
  }
}
