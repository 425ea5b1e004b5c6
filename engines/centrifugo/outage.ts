import assert from 'node:assert/strict'
import { loadavg } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { statusChannel } from '@atrium/contract/events'
import type { Check } from '../engine.ts'
import type { Ends } from '../processes.ts'
import { eventually } from '../waiting.ts'
import { SECRETS } from './conformance.ts'
import type { CentrifugoOffice } from './office.ts'
import {
  type AskedChange,
  type Colleague,
  gatherColleagues,
  keepChanging,
  openTables,
  type PresenceTables,
} from './people.ts'

/** More than two rounds of the connectivity poll. `BROKER_OUTAGE_SECONDS=300` is the long one. */
const OUTAGE_SECONDS = Number(process.env.BROKER_OUTAGE_SECONDS || 35)
const BEFORE_SECONDS = 5
/** Two rounds of the poll, in which clients come back one after the other. */
const AFTER_SECONDS = 35
const COLLEAGUES = 6

/** The only Centrifugo is killed under load and stays away; then it comes back with an empty memory. */
export async function tryOutage(office: CentrifugoOffice, check: Check, ends: Ends): Promise<void> {
  const name = `the broker is away for ${OUTAGE_SECONDS} s under load: every change is answered, the backlog arrives whole and in order, nobody goes offline`
  await check(name, async () => {
    const colleagues = await gatherColleagues(office, COLLEAGUES, ends)
    const tables = await openTables(office, ends)
    const before = await changesFor(BEFORE_SECONDS, colleagues, tables)
    await eventually('the outbox is empty', async () => (await tables.backlog()) === 0)

    await office.nodes[0].kill()
    const outage = await changesFor(OUTAGE_SECONDS, colleagues, tables)
    const backlog = await tables.backlog()
    assert.equal(backlog, outage.flat().length, 'every change waits in the outbox')
    assert.equal((await readiness(office)).parts.broker, 'degraded')

    const node = await office.restartNode()
    const began = performance.now()
    await eventually('the backlog is drained', async () => (await tables.backlog()) === 0)
    const drainedMs = performance.now() - began
    const after = await changesFor(AFTER_SECONDS, colleagues, tables)
    await eventually('the outbox is empty', async () => (await tables.backlog()) === 0)
    for (const [at, { userId, realtime }] of colleagues.entries()) {
      const asked = [outage, after].flatMap((lanes) => lanes[at] ?? []).map(({ status }) => status)
      const published = await historyOf(node.apiUrl, statusChannel(realtime.organizationId, userId))
      assert.deepEqual(published, asked, `what was published of ${userId}`)
    }
    await everyPictureIsTheTable(colleagues, tables)
    console.log(`    before:  ${describe(before)}`)
    console.log(
      `    without: ${describe(outage)}; backlog ${backlog}, drained in ${Math.round(drainedMs)} ms`,
    )
    console.log(`    after:   ${describe(after)}; load average ${loadavg()[0]?.toFixed(1)}`)
  })
}

/** All colleagues change their status for some time; none may be offline in any second of it. */
async function changesFor(
  seconds: number,
  colleagues: readonly Colleague[],
  tables: PresenceTables,
): Promise<AskedChange[][]> {
  const stop = new AbortController()
  const lanes = colleagues.map((one) => keepChanging(one, stop.signal))
  try {
    for (let second = 0; second < seconds; second++) {
      await pause(1_000)
      const statuses = await tables.statuses()
      for (const { userId } of colleagues)
        assert.notEqual(statuses.get(userId), 'offline', `${userId} went offline in second ${second}`)
    }
  } finally {
    stop.abort()
    await Promise.all(lanes)
  }
  const asked = await Promise.all(lanes)
  assert.deepEqual(
    asked.flat().flatMap(({ error }) => (error === undefined ? [] : [error])),
    [],
    'every change is answered 200',
  )
  return asked
}

/** What the broker has accepted for a channel since it began, in its order. */
async function historyOf(apiUrl: string, channel: string): Promise<string[]> {
  const response = await fetch(`${apiUrl}/history`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': SECRETS.api },
    body: JSON.stringify({ channel, limit: -1 }),
  })
  const { result } = (await response.json()) as {
    result: { publications: { data: { data: { status: string } } }[] }
  }
  return result.publications.map(({ data }) => data.data.status)
}

export async function everyPictureIsTheTable(
  colleagues: readonly Colleague[],
  tables: PresenceTables,
): Promise<void> {
  const statuses = await tables.statuses()
  await eventually('every client shows the table', () =>
    colleagues.every(({ realtime }) =>
      colleagues.every(({ userId }) => realtime.statusOf(userId) === statuses.get(userId)),
    ),
  )
}

async function readiness({ url }: CentrifugoOffice): Promise<{ parts: { broker: string } }> {
  const answer = await fetch(`${url}/health/ready`)
  assert.equal(answer.status, 200)
  return (await answer.json()) as { parts: { broker: string } }
}

function describe(lanes: readonly AskedChange[][]): string {
  const changes = lanes.flat()
  const errors = changes.filter(({ error }) => error !== undefined).length
  const times = changes.map(({ ms }) => ms)
  times.sort((one, other) => one - other)
  const at = (part: number) => Math.round(times[Math.floor((times.length - 1) * part)] ?? 0)
  return `${changes.length} changes, errors ${errors}, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, slowest ${at(1)} ms`
}
