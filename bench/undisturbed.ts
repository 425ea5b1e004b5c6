import { readFileSync } from 'node:fs'

/** Share of the processor time that the host may keep from this machine while something is measured. */
const STOLEN_MAX = 0.03
const ATTEMPTS_MAX = 6

/** Processor times of the whole machine since it started, in any unit. */
export interface ProcessorTimes {
  all: number
  /** Wanted, and given to other machines of the same host. */
  stolen: number
}

/**
 * Measures again while the host keeps processor time from this machine: on shared hosts that is up to 99 % for half a
 * minute, and whatever was measured then, an error included, says nothing about the program.
 * @throws what the last attempt throws
 */
export async function undisturbed<T>(
  measureOnce: () => Promise<T>,
  { times = processorTimes, tell = console.log } = {},
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const before = times()
    const outcome = await measureOnce().then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    )
    const after = times()
    const stolen = (after.stolen - before.stolen) / (after.all - before.all || 1)
    if (stolen <= STOLEN_MAX || attempt === ATTEMPTS_MAX) {
      if (stolen > STOLEN_MAX) tell(`  the host kept ${percent(stolen)} of the processor: told as it is`)
      if ('error' in outcome) throw outcome.error
      return outcome.value
    }
    tell(`  the host kept ${percent(stolen)} of the processor: measured again`)
  }
}

/**
 * Measures again where a request was refused or not answered: a machine with others at work leaves one without its answer
 * now and then, and that is not what is measured.
 * @throws what the last attempt throws
 */
export async function allAnswered<T>(measureOnce: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await measureOnce()
    } catch (error) {
      if (attempt === ATTEMPTS_MAX) throw error
      console.error(`  measured again: ${error instanceof Error ? error.message.split('\n')[0] : error}`)
    }
  }
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}

/** Of Linux; elsewhere nothing is known to be stolen. See proc_stat(5): user nice system idle iowait irq softirq steal. */
function processorTimes(): ProcessorTimes {
  if (process.platform !== 'linux') return { all: 0, stolen: 0 }
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n')
  const times = line.trim().split(/\s+/).slice(1, 9).map(Number)
  return { all: times.reduce((sum, time) => sum + time, 0), stolen: times[7] ?? 0 }
}
