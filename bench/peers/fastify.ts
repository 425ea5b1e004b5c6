import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import type { Benchmark } from '../benchmark.ts'
import { besideBare, openBare, openContest, openProduction } from '../opening.ts'

const SERVER = fileURLToPath(new URL('fastify-server.ts', import.meta.url))
const PATH = '/user/get'

export const peerFastify: Benchmark = {
  name: 'peer-fastify',
  describe:
    'POST /user/get with a session, as production serves it (the caller is known from memory, the profile is read from the database, simultaneous readings of it together), against a small Fastify application that answers the same bytes (session and profile read from the database by a prepared query each, a schema for the reply; no log, no limits, no permissions)',
  unit: 'requests/s',
  goal: { ratioMin: 1.2 },
  prepare: ({ seconds }) =>
    openContest(async (ends) => {
      const production = await openProduction(ends)
      const bare = await openBare(ends, SERVER, [await production.office.databaseUrl()])
      const stranger = await fetch(`${bare.base}${PATH}`, { method: 'POST' })
      assert.equal(stranger.status, 401, 'the peer checks the session')
      const request = { method: 'POST', headers: { cookie: production.person.cookie } } as const
      return await besideBare(ends, { production, bare, path: PATH, request, connections: 20, seconds })
    }),
}
