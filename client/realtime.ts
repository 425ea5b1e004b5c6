import type {
  AnyRealtimeEvent,
  ChosenStatus,
  EventData,
  EventName,
  PresenceRecord,
  ScopeOfEvent,
} from '@atrium/contract'
import type { RealtimeEvent } from '@atrium/contract/events'
import { AtriumError } from './errors.ts'
import type { AtriumClient } from './index.ts'
import {
  type Connection,
  type ConnectionTicket,
  openConnection,
  type Subscriber,
  subscriberOf,
} from './live/connection.ts'
import { createListeners, type Listeners } from './live/listeners.ts'
import { createStatusBook, type StatusBook } from './live/status-book.ts'

export type { ChosenStatus, EventData, EventName, PresenceRecord } from '@atrium/contract'
export type { RealtimeEvent } from '@atrium/contract/events'

/**
 * An event with the channel it came by: `type` tells the shapes of `data` apart, for the compiler too. An office that is
 * newer than the client may publish others: pass over an unknown `type`.
 */
export type ReceivedEvent = {
  [Name in EventName]: Extract<AnyRealtimeEvent, { type: Name }> & {
    scope: Exclude<ScopeOfEvent<Name>, 'status'>
  }
}[EventName]

export interface RealtimeOptions {
  /** A WebSocket constructor, where the platform has none of its own. */
  websocket?: unknown
  /** In place of the address that the office names. */
  url?: string
}

/** What can be listened to. Ids are those of the identity provider (`user_…`, `org_…`). */
export interface RealtimeEvents {
  /** A followed person, or the caller, now has this status. The caller's own is the true one. */
  status: PresenceRecord
  /** A followed person is not (or no longer) in the organization, or may not be followed. */
  unfollowed: { userId: string; reason: string }
  /** An event for this person (`user`) or for all members of the organization. */
  event: ReceivedEvent
  /**
   * Events of that scope were missed: read afresh what depends on them. Told for both scopes at the first connection,
   * too: what happened until then was not heard. Statuses mend themselves.
   */
  gap: { scope: 'user' | 'organization' }
  /** `closed`: ended by the office, or because the session ended; `reconnect()` tries again. */
  state: { state: 'connecting' | 'connected' | 'closed'; code: number; reason: string }
  /** The session works in another organization now: statuses of the one before are not followed any more. */
  organization: { organizationId: string }
}

/** What goes along with a chosen status. */
export interface StatusDetails {
  /** Up to 100 characters; `''` takes it away, and undefined leaves the one there is. */
  note?: string | undefined
  /** When choice and note end: within 7 days. */
  until?: Date | undefined
}

export interface Realtime {
  readonly organizationId: string
  /** The caller's id in presence. */
  readonly userId: string
  /** The session that is connected, as `session.ended` names it; undefined where the office does not say. */
  readonly sessionId: string | undefined
  /** As the last `state` said. */
  readonly state: RealtimeEvents['state']['state']
  on: Listeners<RealtimeEvents>['on']
  /** Follows the visible status of people of the active organization, by their `presenceUserId`. */
  follow(userIds: Iterable<string>): void
  unfollow(userIds: Iterable<string>): void
  /**
   * The last known status of a followed person or of the caller; undefined where it is not known yet, or the id names
   * no member.
   */
  statusOf(userId: string): PresenceRecord['status'] | undefined
  /** Chooses the caller's own status, with a note for colleagues and an end where given. Rejects as `call` does. */
  setStatus(status: ChosenStatus, details?: StatusDetails): Promise<PresenceRecord>
  /**
   * Connects again, as the person of the present session: after a switch of the organization, or when closed. Rejects
   * as `call` does.
   */
  reconnect(): Promise<void>
  close(): void
}

/**
 * Connects to the realtime broker and keeps connected. Says so to the office after each connection, which makes the
 * caller online. Resolves when the office has given a token, before the connection stands (`state` tells); rejects as
 * `call` does where it gives none.
 */
export async function connectRealtime(
  client: AtriumClient,
  options: RealtimeOptions = {},
): Promise<Realtime> {
  const listeners = createListeners<RealtimeEvents>()
  const followed = new Set<string>()
  let closed = false
  let state: Realtime['state'] = 'connecting'
  listeners.on('state', (next) => {
    state = next.state
  })
  let life = openLife(await mint(client, options))

  function openLife(ticket: ConnectionTicket): Life {
    const life = startLife({ client, options, listeners, ticket, followed, onMoved: moveTo })
    for (const userId of followed) life.connection.follow(userId)
    return life
  }
  function moveTo(ticket: ConnectionTicket): void {
    if (closed) return
    const moved = !isSameSubscriber(life.connection.subscriber, subscriberOf(ticket.token))
    life.end()
    if (moved) followed.clear()
    life = openLife(ticket)
    const { organizationId } = life.connection.subscriber
    if (moved) listeners.emit('organization', { organizationId })
  }

  return {
    get organizationId() {
      return life.connection.subscriber.organizationId
    },
    get userId() {
      return life.connection.subscriber.userId
    },
    get sessionId() {
      return life.sessionId
    },
    get state() {
      return state
    },
    on: listeners.on,
    follow(userIds) {
      for (const userId of userIds) {
        followed.add(userId)
        life.connection.follow(userId)
      }
    },
    unfollow(userIds) {
      for (const userId of userIds) {
        followed.delete(userId)
        life.unfollow(userId)
      }
    },
    statusOf: (userId) => life.book.get(userId),
    async setStatus(status, { note, until } = {}) {
      const { book } = life
      const record = await client.call('setPresenceStatus', {
        status,
        ...(note === undefined ? {} : { note }),
        ...(until === undefined ? {} : { until: until.toISOString() }),
      })
      book.told(record)
      return record
    },
    async reconnect() {
      moveTo(await mint(client, options))
    },
    close() {
      closed = true
      state = 'closed'
      life.end()
    },
  }
}

/** One connection with what is known through it. */
interface Life {
  connection: Connection
  book: StatusBook
  readonly sessionId: string | undefined
  unfollow(userId: string): void
  end(): void
}

interface ConnectionContext {
  client: AtriumClient
  options: RealtimeOptions
  listeners: Listeners<RealtimeEvents>
  ticket: ConnectionTicket
  followed: Set<string>
  /** The session is in another organization, or another person's. */
  onMoved(ticket: ConnectionTicket): void
}

function startLife({ client, options, listeners, ticket, followed, onMoved }: ConnectionContext): Life {
  const subscriber = subscriberOf(ticket.token)
  const own = subscriber.userId
  let { sessionId } = subscriber
  const book = createStatusBook({
    snapshot: async (userIds) => (await client.call('getPresenceSnapshot', { userIds })).statuses,
    onChange(userId, status) {
      if (status !== undefined) listeners.emit('status', { userId, status })
      else listeners.emit('unfollowed', { userId, reason: 'not in the organization' })
    },
  })
  let hasStood = false
  let confirming = Promise.resolve()
  const confirm = async () => {
    try {
      book.told(await client.call('confirmPresence'))
    } catch {
      // the office notices the connection by itself; what it then says of the caller is read like all others
      book.hydrate(own)
    }
  }
  const connection = openConnection({
    ticket,
    websocket: options.websocket,
    async renew() {
      const renewed = await mintUnlessRefused(client, options)
      if (!renewed) return undefined
      const next = subscriberOf(renewed.token)
      if (isSameSubscriber(next, subscriber)) {
        // the same person may have signed in again
        sessionId = next.sessionId
        return renewed
      }
      onMoved(renewed)
      return undefined
    },
    onConnecting: (code, reason) => listeners.emit('state', { state: 'connecting', code, reason }),
    onConnected() {
      listeners.emit('state', { state: 'connected', code: 0, reason: '' })
      confirming = confirm()
      if (hasStood) return
      hasStood = true
      listeners.emit('gap', { scope: 'user' })
      listeners.emit('gap', { scope: 'organization' })
    },
    onClosed: (code, reason) => listeners.emit('state', { state: 'closed', code, reason }),
    onFollowing(userId, complete) {
      // before we have said that we are here, the office would answer that we are not
      if (userId === own) void confirming.then(() => book.hydrate(own))
      else if (!complete) book.hydrate(userId)
    },
    onRefused(userId, _code, reason) {
      followed.delete(userId)
      book.forget(userId)
      listeners.emit('unfollowed', { userId, reason })
    },
    onStatusEvent(userId, event) {
      // what others see of us is not what we are: the office knows
      if (userId === own) book.hydrate(own)
      else if (isStatusChange(event)) book.delta({ userId, status: event.data.status })
    },
    onEvent(channel, event) {
      const scope = scopeOf(channel)
      if (scope === 'user' && isStatusChange(event)) book.hydrate(own)
      // the office publishes only what the contract declares
      listeners.emit('event', { ...event, scope } as ReceivedEvent)
    },
    onGap: (channel) => listeners.emit('gap', { scope: scopeOf(channel) }),
  })
  connection.follow(own)
  return {
    connection,
    book,
    get sessionId() {
      return sessionId
    },
    unfollow(userId) {
      if (userId === own) return
      connection.unfollow(userId)
      book.forget(userId)
    },
    end() {
      connection.close()
      book.close()
    },
  }
}

async function mint(client: AtriumClient, { url }: RealtimeOptions): Promise<ConnectionTicket> {
  const ticket = await client.call('mintConnectionToken')
  return { token: ticket.token, url: url ?? ticket.url }
}

/** Undefined where the office says no: without a session, or without an active organization. */
async function mintUnlessRefused(
  client: AtriumClient,
  options: RealtimeOptions,
): Promise<ConnectionTicket | undefined> {
  try {
    return await mint(client, options)
  } catch (error) {
    if (error instanceof AtriumError && (error.status === 401 || error.status === 403)) return undefined
    throw error
  }
}

function isSameSubscriber(one: Subscriber, other: Subscriber): boolean {
  return one.organizationId === other.organizationId && one.userId === other.userId
}

function scopeOf(channel: string): 'user' | 'organization' {
  return channel.startsWith('user:') ? 'user' : 'organization'
}

function isStatusChange(
  event: RealtimeEvent,
): event is RealtimeEvent<'status.changed', EventData<'status.changed'>> {
  const { type, data } = event
  return (
    type === 'status.changed' &&
    typeof data === 'object' &&
    data !== null &&
    typeof (data as Partial<EventData<'status.changed'>>).status === 'string'
  )
}
