import { constants, copyFile, type FileHandle, open, rm, stat } from 'node:fs/promises'
import { codeOf } from './failure.ts'

/** The log is cut when it is longer than this; the cut part replaces `<log>.old`. */
const LARGEST_LOG_BYTES = 4 * 1024 * 1024
/** As root we may work in a folder of another user: a link planted there must not lead us elsewhere. */
const NO_LINK = constants.O_NOFOLLOW ?? 0

/**
 * Cuts PostgreSQL's log when it has grown too long. Safe while the server writes, since it appends: it goes on at the
 * beginning. Lines written between copy and cut are lost, which is fair for a log. Throws file system errors.
 */
export async function trimLog(path: string, largestBytes = LARGEST_LOG_BYTES): Promise<void> {
  if ((await sizeOf(path)) <= largestBytes) return
  await rm(`${path}.old`, { force: true })
  await copyFile(path, `${path}.old`, constants.COPYFILE_EXCL)
  const log = await open(path, constants.O_WRONLY | NO_LINK)
  await log.truncate(0).finally(() => log.close())
}

/** Opens the log for appending, readable by its owner only. The caller closes it. */
export async function openLog(path: string): Promise<FileHandle> {
  return open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | NO_LINK, 0o600)
}

/** Length of the log in bytes; 0 where there is none yet. */
export async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return 0
    throw error
  }
}

/** The last lines written after byte `from`, in one line, for an error message. Never throws. */
export async function lastLines(path: string, from = 0, count = 6): Promise<string> {
  const text = await readEnd(path, from).catch(() => '')
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines
    .slice(-count)
    .map((line) => line.replace(/^\d{4}-\d\d-\d\d \S+ \S+ \[\d+\] /, '').trim())
    .join(' | ')
}

async function readEnd(path: string, from: number): Promise<string> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    // A log shorter than `from` was cut meanwhile.
    const start = Math.max(from <= size ? from : 0, size - 8_192)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - start), 0, size - start, start)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await file.close()
  }
}
