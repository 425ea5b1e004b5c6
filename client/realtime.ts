import type { ChosenStatus, PresenceRecord } from '@atrium/contract'
import type { AtriumClient } from './index.ts'
import { type ConnectionTicket, subscriberOf } from './live/connection.ts'
import { type ConnectionContext, isSameSubscriber, type Life, mint, startLife } from './live/life.ts'
import { createListeners, type Listeners } from './live/listeners.ts'
import type { RealtimeEvents, RealtimeOptions } from './live/realtime-events.ts'
import type { StatusBook } from './live/status-book.ts'

export type { ChosenStatus, EventData, EventName, PresenceRecord } from '@atrium/contract'
export type { RealtimeEvent } from '@atrium/contract/events'
export type { RealtimeEvents, RealtimeOptions, ReceivedEvent } from './live/realtime-events.ts'

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
  let state: Realtime['state'] = 'connecting'
  listeners.on('state', (next) => {
    state = next.state
  })
  const lives = liveOn({ client, options, listeners, followed }, await mint(client, options))

  return {
    get organizationId() {
      return lives.now().connection.subscriber.organizationId
    },
    get userId() {
      return lives.now().connection.subscriber.userId
    },
    get sessionId() {
      return lives.now().sessionId
    },
    get state() {
      return state
    },
    on: listeners.on,
    follow(userIds) {
      for (const userId of userIds) {
        followed.add(userId)
        lives.now().connection.follow(userId)
      }
    },
    unfollow(userIds) {
      for (const userId of userIds) {
        followed.delete(userId)
        lives.now().unfollow(userId)
      }
    },
    statusOf: (userId) => lives.now().book.get(userId),
    setStatus: async (status, details = {}) => chooseStatus(client, lives.now().book, status, details),
    reconnect: async () => lives.moveTo(await mint(client, options)),
    close() {
      state = 'closed'
      lives.end()
    },
  }
}

/** One life after the other: a session that works elsewhere begins another. */
function liveOn(
  context: Omit<ConnectionContext, 'ticket' | 'onMoved'>,
  ticket: ConnectionTicket,
): { now(): Life; moveTo(ticket: ConnectionTicket): void; end(): void } {
  const { listeners, followed } = context
  let closed = false
  let life = openLife(ticket)

  function openLife(ticket: ConnectionTicket): Life {
    const life = startLife({ ...context, ticket, onMoved: moveTo })
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
    now: () => life,
    moveTo,
    end() {
      closed = true
      life.end()
    },
  }
}

async function chooseStatus(
  client: AtriumClient,
  book: StatusBook,
  status: ChosenStatus,
  { note, until }: StatusDetails,
): Promise<PresenceRecord> {
  const record = await client.call('setPresenceStatus', {
    status,
    ...(note === undefined ? {} : { note }),
    ...(until === undefined ? {} : { until: until.toISOString() }),
  })
  book.told(record)
  return record
}
