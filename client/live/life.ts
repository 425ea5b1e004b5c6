import type { EventData } from '@atrium/contract'
import type { RealtimeEvent } from '@atrium/contract/events'
import { AtriumError } from '../errors.ts'
import type { AtriumClient } from '../index.ts'
import {
  type Connection,
  type ConnectionEvents,
  type ConnectionTicket,
  openConnection,
  type Subscriber,
  subscriberOf,
} from './connection.ts'
import type { Listeners } from './listeners.ts'
import type { RealtimeEvents, RealtimeOptions, ReceivedEvent } from './realtime-events.ts'
import { createStatusBook, type StatusBook } from './status-book.ts'

/** One connection with what is known through it. */
export interface Life {
  connection: Connection
  book: StatusBook
  readonly sessionId: string | undefined
  unfollow(userId: string): void
  end(): void
}

export interface ConnectionContext {
  client: AtriumClient
  options: RealtimeOptions
  listeners: Listeners<RealtimeEvents>
  ticket: ConnectionTicket
  followed: Set<string>
  /** The session is in another organization, or another person's. */
  onMoved(ticket: ConnectionTicket): void
}

export function startLife({
  client,
  options,
  listeners,
  ticket,
  followed,
  onMoved,
}: ConnectionContext): Life {
  const subscriber = subscriberOf(ticket.token)
  const own = subscriber.userId
  let { sessionId } = subscriber
  const book = bookOf(client, listeners)
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
    ...presenceEvents({ client, listeners, book, own, followed }),
    onConnecting: (code, reason) => listeners.emit('state', { state: 'connecting', code, reason }),
    onClosed: (code, reason) => listeners.emit('state', { state: 'closed', code, reason }),
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

function bookOf(client: AtriumClient, listeners: Listeners<RealtimeEvents>): StatusBook {
  return createStatusBook({
    snapshot: async (userIds) => (await client.call('getPresenceSnapshot', { userIds })).statuses,
    onChange(userId, status) {
      if (status !== undefined) listeners.emit('status', { userId, status })
      else listeners.emit('unfollowed', { userId, reason: 'not in the organization' })
    },
  })
}

/** What is known of people follows what the connection brings. */
function presenceEvents({
  client,
  listeners,
  book,
  own,
  followed,
}: Pick<ConnectionContext, 'client' | 'listeners' | 'followed'> & { book: StatusBook; own: string }): Pick<
  ConnectionEvents,
  'onConnected' | 'onFollowing' | 'onRefused' | 'onStatusEvent' | 'onEvent'
> {
  let hasStood = false
  let confirming = Promise.resolve()
  return {
    onConnected() {
      listeners.emit('state', { state: 'connected', code: 0, reason: '' })
      confirming = confirmPresence(client, book, own)
      if (hasStood) return
      hasStood = true
      listeners.emit('gap', { scope: 'user' })
      listeners.emit('gap', { scope: 'organization' })
    },
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
  }
}

async function confirmPresence(client: AtriumClient, book: StatusBook, own: string): Promise<void> {
  try {
    book.told(await client.call('confirmPresence'))
  } catch {
    // the office notices the connection by itself; what it then says of the caller is read like all others
    book.hydrate(own)
  }
}

export async function mint(client: AtriumClient, { url }: RealtimeOptions): Promise<ConnectionTicket> {
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

export function isSameSubscriber(one: Subscriber, other: Subscriber): boolean {
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
