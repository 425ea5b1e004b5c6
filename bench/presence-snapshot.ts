import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Benchmark } from './benchmark.ts'
import { populate } from './colleagues.ts'
import { besideBare, openBare, openContest, openProduction } from './opening.ts'

const BASELINE = fileURLToPath(new URL('presence-snapshot-baseline.ts', import.meta.url))
const PEOPLE = 100
/** Time for the first round of the poll, which takes note of the new broker. */
const FIRST_ROUND_MS = 3_000

export const presenceSnapshot: Benchmark = {
  name: 'presence-snapshot',
  describe:
    'POST /presence/snapshot of 100 ids with a session, as production serves it, against bare node:http + pg with the one query it needs',
  unit: 'requests/s',
  goal: { ratioMin: 3 },
  prepare: ({ seconds }) =>
    openContest(async (ends) => {
      const production = await openProduction(ends)
      const { office, person } = production
      const databaseUrl = await office.databaseUrl()
      await pause(FIRST_ROUND_MS)
      const userIds = await populate(databaseUrl, person.organizationId, PEOPLE)
      const bare = await openBare(ends, BASELINE, [databaseUrl, person.userId, person.organizationId])
      const request = {
        method: 'POST',
        headers: { cookie: person.cookie, 'content-type': 'application/json' },
        body: JSON.stringify({ userIds }),
      } as const
      return await besideBare(ends, {
        ...{ production, bare, path: '/presence/snapshot', request },
        ...{ connections: 20, seconds },
      })
    }),
}
