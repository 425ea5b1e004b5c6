import { execFileSync } from 'node:child_process'
import { availableParallelism } from 'node:os'

/**
 * Who runs where, in a contest that pins its sides: whatever is measured on the first core alone, the load that asks it
 * on the second, the database wherever there is room. Both sides of a comparison are pinned alike.
 */
const MEASURED_CORE = 0
const LOAD_CORE = 1

const everyCore = `0-${availableParallelism() - 1}`

/** Whether this machine lets us pin; without it the cores are shared as the system likes, on both sides alike. */
export const canPin = process.platform === 'linux' && availableParallelism() > 1 && runs('--version')

/** Pins a running process with all its threads, but not its children: they keep what they began with. */
export function pinMeasured(pid: number): void {
  if (canPin) runs('-a', '-c', '-p', String(MEASURED_CORE), String(pid))
}

/**
 * Keeps this process, which makes the load, out of the way of what it measures. Only once everything is started:
 * children would inherit it.
 * @returns takes it back
 */
export function pinLoad(): () => void {
  if (!canPin) return () => {}
  const cores = (list: string) => runs('-a', '-c', '-p', list, String(process.pid))
  cores(String(LOAD_CORE))
  return () => cores(everyCore)
}

function runs(...args: string[]): boolean {
  try {
    execFileSync('taskset', args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
