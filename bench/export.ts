import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import type { Benchmark, Sample } from './benchmark.ts'
import { furnish } from './chat-history.ts'
import type { FirstPerson } from './first-person.ts'
import { connected } from './noisy-tenants.ts'
import { openContest, openProduction } from './opening.ts'
import { processorTime } from './processor-time.ts'

const MESSAGES = 100_000
const LOOK_MS = 100
const READY_WITHIN_MS = 5 * 60_000

export const exportMessages: Benchmark = {
  name: 'export',
  describe: `POST /api/v1/organizations/export/start until the archive of an organization with ${MESSAGES} messages is ready, as production serves it, against one connection that reads the same messages as JSON and keeps nothing`,
  unit: 'ms',
  goal: { subjectMax: 20_000 },
  prepare: () =>
    openContest(async (ends) => {
      const { office, running, person, base } = await openProduction(ends, {
        RATE_LIMIT_EXPORTS_PER_ORGANIZATION: '0',
      })
      const databaseUrl = await office.databaseUrl()
      await furnish(databaseUrl, person, { messages: MESSAGES, conversations: 1_000 })
      return {
        subject: () => exported(base, person, running.pid),
        baseline: () => read(databaseUrl),
      }
    }),
}

async function exported(base: string, { cookie }: FirstPerson, pid: number): Promise<Sample> {
  const call = async (path: string) => {
    const headers = { 'content-type': 'application/json', cookie }
    const answer = await fetch(`${base}/api/v1/organizations/export/${path}`, {
      ...{ method: 'POST', headers, body: '{}' },
    })
    const text = await answer.text()
    assert(answer.ok, `${path} answered ${answer.status}: ${text}`)
    return JSON.parse(text)
  }
  const used = processorTime(pid) ?? Number.NaN
  const began = performance.now()
  const { exportId } = await call('start')
  for (;;) {
    const { exports } = (await call('list')) as { exports: { exportId: string; state: string }[] }
    const state = exports.find((one) => one.exportId === exportId)?.state
    if (state === 'ready') break
    assert.equal(state, 'running')
    assert(performance.now() - began < READY_WITHIN_MS, 'the archive was not ready in time')
    await pause(LOOK_MS)
  }
  const processor = ((processorTime(pid) ?? Number.NaN) - used) / MESSAGES
  return { value: performance.now() - began, details: { 'cpu µs a message': processor } }
}

async function read(databaseUrl: string): Promise<Sample> {
  const began = performance.now()
  const { rowCount } = await connected(databaseUrl, (client) =>
    client.query('select row_to_json(m)::text from messages m order by message_id'),
  )
  assert.equal(rowCount, MESSAGES)
  return { value: performance.now() - began }
}
