import { readdirSync, readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'

/** Linux counts in hundredths of a second. */
const TICK_MICROSECONDS = 10_000
const NANOSECONDS_IN_A_MICROSECOND = 1_000
const LOOK_MS = 500
/** Share of all cores that others may take while we call the machine quiet. */
const OTHERS_MAX = 0.1

/**
 * Processor time that a process has used so far, in microseconds: unlike its answers in a second, it hardly depends
 * on who else is at work. Undefined where the system does not say.
 */
export function processorTime(pid: number): number | undefined {
  try {
    const afterName = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    const [user, system] = [Number(afterName[11]), Number(afterName[12])]
    return (user + system) * TICK_MICROSECONDS
  } catch {
    return undefined
  }
}

/**
 * The same by the clock of the scheduler, which counts nanoseconds, for short samples: of the threads that there are now.
 * One that has ended between two looks takes its time away with it, which Node's threads do not do.
 */
export function processorTimeOfThreads(pid: number): number | undefined {
  try {
    const folder = `/proc/${pid}/task`
    const spent = readdirSync(folder).map((thread) =>
      Number(readFileSync(`${folder}/${thread}/schedstat`, 'utf8').split(' ')[0]),
    )
    return spent.reduce((sum, one) => sum + one, 0) / NANOSECONDS_IN_A_MICROSECOND
  } catch {
    return processorTime(pid)
  }
}

/** Waits until hardly anybody else is at work. @returns false where that did not happen within the time */
export async function waitForQuiet(withinMs: number): Promise<boolean> {
  const until = Date.now() + withinMs
  do {
    const before = used()
    await pause(LOOK_MS)
    const after = used()
    if ((after.busy - before.busy) / (after.all - before.all) < OTHERS_MAX) return true
  } while (Date.now() < until)
  return false
}

function used(): { busy: number; all: number } {
  const times = cpus().map((core) => core.times)
  const all = times.reduce((sum, { user, nice, sys, idle, irq }) => sum + user + nice + sys + idle + irq, 0)
  return { busy: all - times.reduce((sum, { idle }) => sum + idle, 0), all }
}
