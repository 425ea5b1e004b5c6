import { fileURLToPath } from 'node:url'
import type { Benchmark } from './benchmark.ts'
import { besideBare, openBare, openContest, openProduction } from './opening.ts'

const BASELINE = fileURLToPath(new URL('user-get-baseline.ts', import.meta.url))

export const userGet: Benchmark = {
  name: 'user-get',
  describe:
    'POST /user/get with a session, as production serves it, against bare node:http + pg with the one query it needs',
  unit: 'requests/s',
  goal: { ratioMin: 0.9 },
  prepare: ({ seconds }) =>
    openContest(async (ends) => {
      const production = await openProduction(ends)
      const { office, person } = production
      const args = [await office.databaseUrl(), person.userId, person.organizationId]
      const bare = await openBare(ends, BASELINE, args)
      const request = { method: 'POST', headers: { cookie: person.cookie } } as const
      return await besideBare(ends, {
        ...{ production, bare, path: '/user/get', request },
        ...{ connections: 20, seconds },
      })
    }),
}
