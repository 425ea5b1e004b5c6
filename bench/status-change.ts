import { fileURLToPath } from 'node:url'
import type { Benchmark } from './benchmark.ts'
import { changeAt, listen, subscribed, timeBothSides } from './listener.ts'
import { openBare, openContest, openProduction, pinSides } from './opening.ts'

const BASELINE = fileURLToPath(new URL('status-change-baseline.ts', import.meta.url))

export const statusChange: Benchmark = {
  name: 'status-change',
  describe:
    'POST /presence/status until it arrives at a subscribed client, through table, outbox and embedded broker (median), against bare node:http that hands the text to a WebSocket',
  unit: 'ms',
  goal: { subjectMax: 10 },
  prepare: () =>
    openContest(async (ends) => {
      const { office, running, person } = await openProduction(ends)
      const bare = await openBare(ends, BASELINE)
      pinSides(ends, running, bare)

      const ours = await subscribed(office.url, person)
      ends.push(async () => ours.close())
      const theirs = await listen(`${bare.base.replace('http', 'ws')}/`)
      ends.push(async () => theirs.close())
      return await timeBothSides(
        { listener: ours, change: changeAt(office.url, person.cookie) },
        { listener: theirs, change: changeAt(bare.base, '') },
      )
    }),
}
