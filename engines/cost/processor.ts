import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

const NANOSECONDS_IN_A_MS = 1e6
/** How often a process is looked at until it sleeps. */
const LOOK_MS = 1
/** A statement that PostgreSQL does not break off is waited for: its cost is of the request. */
const QUIET_WITHIN_MS = 90_000

/** Milliseconds for which the first thread of a process has run so far, exact once it sleeps; 0 where it is gone. */
export function ranMs(pid: number): number {
  try {
    const [ran = '0'] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')
    return Number(ran) / NANOSECONDS_IN_A_MS
  } catch {
    return 0
  }
}

/** Whether the first thread of a process has nothing to do. */
function sleeps(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.[0] === 'S'
  } catch {
    return true
  }
}

/** Waits until processes have done what they were asked for. */
export async function untilQuiet(pids: readonly number[]): Promise<void> {
  const deadline = Date.now() + QUIET_WITHIN_MS
  let quiet = 0
  // two looks: between two steps of one request a process may seem to sleep
  while (quiet < 2 && Date.now() < deadline) {
    await pause(LOOK_MS)
    quiet = pids.every(sleeps) ? quiet + 1 : 0
  }
}
