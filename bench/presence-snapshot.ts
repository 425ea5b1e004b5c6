import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Benchmark } from './benchmark.ts'
import { populate } from './colleagues.ts'
import { signUp } from './first-person.ts'
import { applyLoad } from './load.ts'
import { prepareOffice } from './office.ts'
import { pinLoad, pinMeasured } from './pinning.ts'
import { freePort, type ServerProcess, startServer } from './server-process.ts'

const BASELINE = fileURLToPath(new URL('presence-snapshot-baseline.ts', import.meta.url))
const PEOPLE = 100
const CONNECTIONS = 20
const WARM_UP_SECONDS = 3
/** Time for the first round of the poll, which takes note of the new broker. */
const FIRST_ROUND_MS = 3_000

export const presenceSnapshot: Benchmark = {
  name: 'presence-snapshot',
  describe:
    'POST /presence/snapshot of 100 ids with a session, as production serves it, against bare node:http + pg with the one query it needs',
  unit: 'requests/s',
  goal: { ratioMin: 3 },
  async prepare({ seconds }) {
    const office = await prepareOffice()
    const closing: (() => Promise<unknown>)[] = [() => office.remove()]
    const close = async () => {
      for (let next = closing.pop(); next; next = closing.pop()) await next()
    }
    try {
      const development = await office.start('development')
      const person = await signUp(office.url).finally(() => development.stop())
      const production = await office.start('production')
      closing.push(() => production.stop())
      const databaseUrl = await office.databaseUrl()
      await pause(FIRST_ROUND_MS)
      const userIds = await populate(databaseUrl, person.organizationId, PEOPLE)
      const port = await freePort()
      const bare = await startServer({
        script: BASELINE,
        args: [String(port), databaseUrl, person.userId, person.organizationId],
        environment: {},
        port,
        readyPath: '/',
      })
      closing.push(() => bare.stop())
      for (const { pid } of [production, bare]) pinMeasured(pid)
      const unpin = pinLoad()
      closing.push(async () => unpin())

      const request = {
        method: 'POST',
        headers: { cookie: person.cookie, 'content-type': 'application/json' },
        body: JSON.stringify({ userIds }),
      } as const
      const subjectUrl = `${office.url.replace('localhost', '127.0.0.1')}/presence/snapshot`
      const baselineUrl = `http://127.0.0.1:${port}/presence/snapshot`
      const [ours, theirs] = await Promise.all([answer(subjectUrl, request), answer(baselineUrl, request)])
      assert.equal(ours, theirs, 'both sides answer the same bytes')
      assert.equal((JSON.parse(ours) as { statuses: unknown[] }).statuses.length, PEOPLE)

      const load = (url: string, { pid }: ServerProcess, duration: number) =>
        applyLoad({ ...request, url, pid, connections: CONNECTIONS, seconds: duration })
      const subject = (duration = seconds) => load(subjectUrl, production, duration)
      const baseline = (duration = seconds) => load(baselineUrl, bare, duration)
      for (const side of [subject, baseline]) await side(WARM_UP_SECONDS)
      return { subject: () => subject(), baseline: () => baseline(), close }
    } catch (error) {
      await close()
      throw error
    }
  },
}

async function answer(url: string, request: RequestInit): Promise<string> {
  const response = await fetch(url, request)
  assert.equal(response.status, 200, `${url} answers 200`)
  return await response.text()
}
