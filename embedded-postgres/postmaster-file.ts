import { readFile, realpath, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** What a running server writes of itself into `postmaster.pid`. */
export interface PostmasterFile {
  pid: number
  port: number
  status: 'starting' | 'stopping' | 'ready' | 'standby' | undefined
}

/** Reads `postmaster.pid` of a cluster: undefined where there is none, `'empty'` where it says no process. */
export async function readPostmasterFile(data: string): Promise<PostmasterFile | 'empty' | undefined> {
  const text = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const lines = text.split('\n').map((line) => line.trim())
  const pid = Number(lines[0])
  if (!Number.isInteger(pid) || pid <= 0) return 'empty'
  return { pid, port: Number(lines[3] ?? 0), status: (lines[7] || undefined) as PostmasterFile['status'] }
}

/** An empty file younger than this may be one that a server is just writing. */
const EMPTY_FILE_AGE_MS = 2_000

/**
 * The server that really runs on `data`, or undefined. Deletes a `postmaster.pid` that would keep PostgreSQL from
 * starting although no server runs: an empty one, and one with the number of another live process.
 * The file of a dead process stays: PostgreSQL reads from it whether old backends still hold the memory.
 */
export async function findServer(data: string): Promise<PostmasterFile | undefined> {
  for (;;) {
    const file = await readPostmasterFile(data)
    if (file === undefined) return undefined
    if (file !== 'empty') {
      if (await isServerOf(file.pid, data)) return file
      if (process.platform === 'linux' && isAlive(file.pid)) await removePostmasterFile(data)
      return undefined
    }
    const written = await stat(join(data, 'postmaster.pid')).catch(() => undefined)
    if (written !== undefined && Date.now() - written.mtimeMs > EMPTY_FILE_AGE_MS)
      await removePostmasterFile(data)
    else await pause(50)
  }
}

/** Deletes `postmaster.pid`. Only for callers who know that no server runs on `data`. */
async function removePostmasterFile(data: string): Promise<void> {
  await rm(join(data, 'postmaster.pid'), { force: true })
}

/**
 * Whether process `pid` is a living postmaster of the cluster `data`. Process numbers are given out again and zombies
 * count as alive, so Linux is asked for the command line. Elsewhere this says only that the process lives.
 */
export async function isServerOf(pid: number, data: string): Promise<boolean> {
  if (process.platform !== 'linux') return isAlive(pid)
  const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  const words = commandLine.split('\0')
  if (!/(^|\/)postgres$/.test(words[0] ?? '')) return false
  const folder = words[words.indexOf('-D') + 1]
  if (folder === undefined || !words.includes('-D')) return false
  return (
    folder === data ||
    (await realpath(folder).catch(() => folder)) === (await realpath(data).catch(() => data))
  )
}

/** Whether a process of this number exists, zombies and other users' processes included. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
