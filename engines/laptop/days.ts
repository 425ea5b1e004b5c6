import fc from 'fast-check'
import type { ModelOffice } from '../model/office.ts'
import { acts, type Day, take } from './day.ts'
import type { Machine } from './device.ts'
import { openCast, type Storing } from './people.ts'
import { expectQuiet } from './quiet.ts'

const STEPS_MAX = 14
const SHRINK_WITHIN_MS = 300_000
/** Written often, and some things seldom. */
const WEIGHTS: Partial<Record<(typeof acts)[number], number>> = {
  write: 8,
  'lose the network': 4,
  'find the network': 2,
  'go to another network': 2,
  sleep: 2,
  wait: 2,
}
const step = fc.record({
  act: fc.constantFrom(...acts.flatMap((act) => Array.from({ length: WEIGHTS[act] ?? 1 }, () => act))),
  device: fc.nat(2),
  amount: fc.nat(11),
})
const storing = fc.constantFrom<Storing>('whole', 'whole', 'none', 'full')

export interface DaysTally {
  days: number
  steps: number
  messages: number
}

/** One day of a seed; where something is wrong, again with steps left out. @returns what is wrong */
export async function liveDay(
  office: ModelOffice,
  machines: readonly Machine[],
  seed: number,
  tally: DaysTally,
): Promise<string | undefined> {
  let last: Day | undefined
  const property = fc.asyncProperty(
    fc.array(step, { minLength: 4, maxLength: STEPS_MAX, size: 'max' }),
    storing,
    async (steps, how) => {
      const cast = await openCast(office.url, machines, how)
      const day: Day = { office, cast, written: [], inside: new Set(), story: [`storing: ${how}`] }
      last = day
      try {
        for (const one of steps) await take(day, one)
        await expectQuiet(day)
      } catch (error) {
        if (process.env.LAPTOP_TELL) console.log(`    ✗ ${error}`)
        throw error
      } finally {
        tally.days += 1
        tally.steps += day.story.length - 1
        tally.messages += day.written.length
        for (const { context, machine } of cast.devices) {
          machine.wire.become('open')
          await context.close().catch(() => {})
        }
      }
    },
  )
  const told = await fc.check(property, {
    ...{ seed, numRuns: 1, interruptAfterTimeLimit: SHRINK_WITHIN_MS, markInterruptAsFailure: false },
  })
  if (!told.failed || told.counterexample === null) return undefined
  const [steps = [], how] = told.counterexample ?? []
  const why = told.errorInstance instanceof Error ? told.errorInstance.message : String(told.errorInstance)
  const story = steps.map(
    ({ act, device, amount }) => `    ${last?.cast.devices[device]?.name}: ${act} ${amount}`,
  )
  return `seed ${seed}, storing: ${how}, made shorter ${told.numShrinks} times: ${why}\n${story.join('\n')}`
}
