import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import type { AtriumClient } from '@atrium/client'
import { connectRealtime, type Realtime } from '@atrium/client/realtime'
import type { ChosenStatus } from '@atrium/contract'
import { parseRealtimeEvent, statusChannel } from '@atrium/contract/events'
import { Centrifuge } from 'centrifuge'
import type { PresenceTrail } from './presence-trail.ts'

const STATUSES: readonly ChosenStatus[] = ['online', 'away', 'busy', 'appear_offline']
const PAUSE_MS = 20

/** A person who changes their status all the time, and knows which changes the office has acknowledged. */
export interface Writer {
  userId: string
  /** Every change that was asked for since `begin()`, in order. */
  attempts: { status: ChosenStatus; acknowledged: boolean }[]
  /** Changes their status until it is told to stop; resolves when the last answer is in. */
  write(stop: AbortSignal): Promise<void>
  /** Forgets the attempts: from here on they are counted again. */
  begin(standing: ChosenStatus): void
  /** Closes their connection. */
  leave(): void
  comeBack(): Promise<void>
}

/** Connects them: a writer is present. */
export async function makeWriter(browser: AtriumClient): Promise<Writer> {
  let realtime = await connectRealtime(browser)
  let attempts: Writer['attempts'] = []
  let before: ChosenStatus = 'online'
  return {
    userId: realtime.userId,
    get attempts() {
      return attempts
    },
    begin(standing) {
      attempts = []
      before = standing
    },
    leave: () => realtime.close(),
    async comeBack() {
      realtime = await connectRealtime(browser)
    },
    async write(stop) {
      while (!stop.aborted) {
        const last = attempts.at(-1)?.status ?? before
        const standing = attempts.findLast(({ acknowledged }) => acknowledged)?.status ?? before
        // a change in any case, whether or not the one that was not acknowledged came to pass
        const [status] = STATUSES.filter((one) => one !== last && one !== standing).sort(
          () => Math.random() - 0.5,
        )
        assert(status)
        const attempt = { status, acknowledged: false }
        attempts.push(attempt)
        attempt.acknowledged = await realtime.setStatus(status).then(
          () => true,
          () => false,
        )
        // of changes that are not acknowledged there is one at a time
        if (!attempt.acknowledged) return
        await pause(Math.random() * PAUSE_MS)
      }
    },
  }
}

/** Hears every publication of some people's statuses, by the ids of the events. */
export interface Witness {
  seen: ReadonlySet<string>
  /** Connected, and subscribed to all of them. */
  isListening(): boolean
  close(): void
}

export interface WitnessOptions {
  url: string
  token: () => Promise<string>
  organization: string
  users: readonly string[]
}

export function openWitness({ url, token, organization, users }: WitnessOptions): Witness {
  const seen = new Set<string>()
  const centrifuge = new Centrifuge(url, {
    getToken: token,
    minReconnectDelay: 50,
    maxReconnectDelay: 200,
  })
  const subscriptions = users.map((user) => {
    const subscription = centrifuge.newSubscription(statusChannel(organization, user))
    subscription.on('publication', ({ data }) => {
      const event = parseRealtimeEvent(data)
      if (event) seen.add(event.id)
    })
    subscription.subscribe()
    return subscription
  })
  centrifuge.on('error', () => {})
  centrifuge.connect()
  return {
    seen,
    isListening: () =>
      centrifuge.state === 'connected' && subscriptions.every(({ state }) => state === 'subscribed'),
    close: () => centrifuge.disconnect(),
  }
}

/** What one look at the table said. */
export interface Look {
  acknowledged: number
  /** Not acknowledged, and done all the same: the office died with the answer. */
  unacknowledged: number
  events: number
}

/**
 * Compares what was acknowledged with what the table has been through, and that with what was written to the outbox.
 * @throws AssertionError where anything is missing, doubled or in another order
 */
export async function expectNothingLost(trail: PresenceTrail, writers: readonly Writer[]): Promise<Look> {
  const { changes, rows, current } = await trail.read()
  const look: Look = { acknowledged: 0, unacknowledged: 0, events: 0 }
  for (const writer of writers) {
    const done = changes.filter(({ user }) => user === writer.userId)
    const statuses = done.map(({ status }) => status)
    for (const { status, acknowledged } of writer.attempts) {
      if (!acknowledged && statuses[0] !== status) continue
      assert.equal(statuses.shift(), status, `${writer.userId} lost an acknowledged ${status}`)
      look[acknowledged ? 'acknowledged' : 'unacknowledged'] += 1
    }
    assert.deepEqual(statuses, [], 'nobody asked for these')
    const last = done.at(-1)?.status
    if (last) assert.equal(current.get(writer.userId), last)
    const told = rows.filter(({ user }) => user === writer.userId).map(({ status }) => status)
    const visible = done.filter((one) => asSeen(one.before) !== asSeen(one.status))
    assert.deepEqual(
      told,
      visible.map(({ status }) => asSeen(status)),
      `events of ${writer.userId}`,
    )
    look.events += told.length
  }
  return look
}

/**
 * Every row that left the outbox before the kill reached the listener.
 * @returns how many were compared
 */
export async function expectHeard(
  trail: PresenceTrail,
  witness: Witness,
  since: bigint,
  killedAt: Date,
): Promise<number> {
  const { rows } = await trail.read()
  const left = rows.filter(({ id, leftAt }) => id > since && leftAt && leftAt < killedAt)
  const unheard = left.filter(({ event }) => !witness.seen.has(event))
  assert.deepEqual(unheard, [], 'rows that left the outbox and reached nobody')
  return left.length
}

/** A client's picture of others is the table as others may see it. */
export function showsTheTable(reader: Realtime, current: ReadonlyMap<string, string>): boolean {
  return [...current].every(
    ([user, status]) => user === reader.userId || reader.statusOf(user) === asSeen(status),
  )
}

export function asSeen(status: string): string {
  return status === 'appear_offline' ? 'offline' : status
}
