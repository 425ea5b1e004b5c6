import { setTimeout as pause } from 'node:timers/promises'
import type { Benchmark, Sample } from './benchmark.ts'
import { startBare } from './cold-start.ts'
import { memoryOf } from './fan-out.ts'
import { prepareOffice } from './office.ts'
import { processorTimeOfThreads } from './processor-time.ts'
import type { ServerProcess } from './server-process.ts'

const KIBIBYTES_IN_A_MEGABYTE = 1_000_000 / 1_024
const MICROSECONDS_IN_A_SECOND = 1_000_000
/** By then V8 has given back what the start took: it does so half a minute after the last work. */
const RESTS_AFTER_MS = 90_000

/** What an idle office takes: its process, without those of the database and of the image check. */
export const rest: Benchmark = {
  name: 'rest',
  describe:
    'resident memory of the process of `npm start` at rest, and its share of a processor, beside bare node:http',
  unit: 'MB',
  goal: { subjectMax: 200 },
  missing: () => (process.platform === 'linux' ? undefined : 'it reads /proc'),
  async prepare({ seconds }) {
    await using opened = new AsyncDisposableStack()
    const office = await prepareOffice()
    opened.defer(() => office.remove())
    const running = await office.start('development')
    opened.defer(() => running.stop())
    const bare = await startBare()
    opened.defer(() => bare.stop())
    await pause(RESTS_AFTER_MS)
    const ends = opened.move()
    return {
      subject: () => takenBy(running, seconds),
      baseline: () => takenBy(bare, seconds),
      close: () => ends.disposeAsync(),
    }
  },
}

async function takenBy({ pid }: ServerProcess, seconds: number): Promise<Sample> {
  const before = processorTimeOfThreads(pid) ?? 0
  await pause(seconds * 1_000)
  const spent = (processorTimeOfThreads(pid) ?? 0) - before
  return {
    value: memoryOf(pid) / KIBIBYTES_IN_A_MEGABYTE,
    details: { 'cpu %': (spent / MICROSECONDS_IN_A_SECOND / seconds) * 100 },
  }
}
