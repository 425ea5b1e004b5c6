import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import type { Benchmark } from './benchmark.ts'
import { changeAt, listen, subscribed, timeAsking } from './listener.ts'
import { employ } from './noisy-tenants.ts'
import { openBare, openContest, openProduction, pinSides } from './opening.ts'

const BASELINE = fileURLToPath(new URL('status-change-baseline.ts', import.meta.url))
const RECEIVED = 'knock.received'

export const knock: Benchmark = {
  name: 'knock',
  describe:
    'POST /api/v1/knock until it arrives at the client of whom is asked, through table, outbox and embedded broker (median), against bare node:http that hands the text to a WebSocket',
  unit: 'ms',
  goal: { subjectMax: 10 },
  prepare: () =>
    openContest(async (ends) => {
      const { office, running, person } = await openProduction(ends, { RATE_LIMIT_KNOCKS_PER_USER: '0' })
      const bare = await openBare(ends, BASELINE)
      pinSides(ends, running, bare)

      const [asked] = await employ(await office.databaseUrl(), person, 1)
      assert(asked, 'nobody is there to be asked')
      const ours = await subscribed(office.url, { ...person, cookie: asked.cookie })
      ends.push(async () => ours.close())
      // who is not there is not disturbed
      assert.equal((await changeAt(office.url, asked.cookie)('online')).status, 200)
      const theirs = await listen(`${bare.base.replace('http', 'ws')}/`)
      ends.push(async () => theirs.close())

      const ask = (path: string, body: object) =>
        fetch(`${office.url}/api/v1/knock${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', cookie: person.cookie },
          body: JSON.stringify(body),
        })
      return await timeAsking(
        {
          listener: ours,
          text: () => RECEIVED,
          ask: () => ask('', { userId: asked.userId }),
          async after(_number, answer) {
            const { knockId } = JSON.parse(answer) as { knockId: string }
            const ends = ours.next('knock.ended')
            assert.equal((await ask('/cancel', { knockId })).status, 204)
            await ends
          },
        },
        {
          listener: theirs,
          text: () => RECEIVED,
          ask: () => fetch(bare.base, { method: 'POST', body: RECEIVED }),
        },
      )
    }),
}
