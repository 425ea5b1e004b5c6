import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { SECRETS } from '../centrifugo/conformance.ts'
import type { CentrifugoOffice } from '../centrifugo/office.ts'
import { everyPictureIsTheTable } from '../centrifugo/outage.ts'
import { gatherColleagues, openTables } from '../centrifugo/people.ts'
import type { Check } from '../engine.ts'
import type { Ends } from '../processes.ts'
import { eventually } from '../waiting.ts'

export interface RedisServer {
  url: string
  /** Forgets everything. */
  empty(): Promise<void>
  /** kill -9, and a start without its data. */
  restart(): Promise<void>
}

const COLLEAGUES = 6
/** Presence comes back by itself within 27 s: it is taken away every second until two rounds of the poll have seen none. */
const EMPTY_SECONDS = 35
const AFTER_SECONDS = 30

/** Redis comes back empty: for a while the broker answers, without any error, that no client is connected. */
export async function tryEmptiedRedis(
  office: CentrifugoOffice,
  redis: RedisServer,
  check: Check,
  ends: Ends,
): Promise<void> {
  const name = `Redis is restarted empty, and stays so for ${EMPTY_SECONDS} s: nobody goes offline, and statuses arrive again`
  await check(name, async () => {
    const colleagues = await gatherColleagues(office, COLLEAGUES, ends)
    const organization = colleagues[0]?.realtime.organizationId ?? ''
    const tables = await openTables(office, ends)
    const statuses = ['busy', 'away', 'online'] as const
    for (const [at, { realtime }] of colleagues.entries())
      await realtime.setStatus(statuses[at % statuses.length] ?? 'online')
    await everyPictureIsTheTable(colleagues, tables)
    assert.equal(await countPresence(office, organization), COLLEAGUES)
    // the poll has waited since before the broker was there: what protects now is what it sees now
    await tables.endQuietTime()
    const before = await tables.statuses()
    let isNoticed = false

    await redis.restart()
    let emptySeconds = 0
    for (let second = 0; second < EMPTY_SECONDS + AFTER_SECONDS; second++) {
      // one that is still starting cannot be emptied, nor need it be: the seconds of empty presence are asserted below
      if (second < EMPTY_SECONDS) await redis.empty().catch(() => {})
      await pause(1_000)
      const now = await tables.statuses()
      for (const { userId } of colleagues)
        assert.equal(now.get(userId), before.get(userId), `${userId} was moved in second ${second}`)
      if ((await countPresence(office, organization)) === 0) emptySeconds += 1
      isNoticed ||= await tables.isQuiet()
    }
    assert.ok(emptySeconds > 15, `nobody seemed to be connected for ${emptySeconds} s only`)
    assert.ok(isNoticed, 'the poll has noticed')

    for (const { realtime } of colleagues) await realtime.setStatus('busy')
    await eventually('every client shows it', () =>
      colleagues.every(({ realtime }) =>
        colleagues.every(({ userId }) => realtime.statusOf(userId) === 'busy'),
      ),
    )
    console.log(`    for ${emptySeconds} s the broker said that nobody is connected`)
  })
}

/** Connections that the broker tells of, each person once here; undefined while it errs. */
async function countPresence(office: CentrifugoOffice, organization: string): Promise<number | undefined> {
  const response = await fetch(`${office.nodes[0].apiUrl}/presence_stats`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': SECRETS.api },
    body: JSON.stringify({ channel: `org:${organization}` }),
  })
  const { result } = (await response.json()) as { result?: { num_clients: number } }
  return result?.num_clients
}
