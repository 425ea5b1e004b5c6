import {
  isStatusNamespace,
  parseRealtimeEvent,
  parseStatusChannel,
  type RealtimeEvent,
  statusChannel,
} from '@atrium/contract/events'
import { Centrifuge, State, type Subscription, UnauthorizedError } from 'centrifuge'
import { renewSpread } from './renewal.ts'
import { inSmallFrames } from './small-frames.ts'

/** One life of a connection: one person in one organization, over as many reconnects as it takes. */
export interface Connection {
  readonly subscriber: Subscriber
  /** Subscribes to a person's visible status. */
  follow(userId: string): void
  unfollow(userId: string): void
  close(): void
}

/** The subscriber's session, and where it works. */
export interface Subscriber {
  organizationId: string
  userId: string
  /** The session that the token was made from; undefined where the token does not say. */
  sessionId: string | undefined
}

export interface ConnectionTicket {
  url: string
  token: string
}

export interface ConnectionEvents {
  /** It stands, for the first time or again. */
  onConnected(): void
  onConnecting(code: number, reason: string): void
  /** It ended and does not come back by itself. */
  onClosed(code: number, reason: string): void
  /** Deltas of the person arrive. `complete`: none was missed since the last time. */
  onFollowing(userId: string, complete: boolean): void
  /** The person cannot be followed. */
  onRefused(userId: string, code: number, reason: string): void
  onStatusEvent(userId: string, event: RealtimeEvent): void
  onEvent(channel: string, event: RealtimeEvent): void
  /** Events of a channel of our own were missed. */
  onGap(channel: string): void
}

export interface ConnectionOptions extends ConnectionEvents {
  ticket: ConnectionTicket
  /**
   * A fresh ticket for a reconnect or a refresh; undefined: the session may not connect any more. What it throws is
   * tried again.
   */
  renew(): Promise<ConnectionTicket | undefined>
  /** Where the platform has no WebSocket of its own. */
  websocket?: unknown
}

const MAY_NOT_CONNECT = 'the session may not connect'
/** A connection has 512 channels at the broker, its own included: what would be refused there is not sent. */
const FOLLOWED_MAX = 500
/** What the broker says beyond that. */
const LIMIT_EXCEEDED = { code: 106, reason: 'limit exceeded' }

/** Connects with the official client of the broker. @throws TypeError where the ticket's token is none of ours */
export function openConnection(options: ConnectionOptions): Connection {
  const { ticket, renew } = options
  const subscriber = subscriberOf(ticket.token)
  const Socket = (options.websocket ?? globalThis.WebSocket) as typeof WebSocket | undefined
  const centrifuge = new Centrifuge(ticket.url, {
    token: ticket.token,
    name: 'atrium',
    async getToken() {
      const isConnected = () => centrifuge.state === State.Connected
      const renewed = await renewSpread(renew, { isConnected })
      if (!renewed) throw new UnauthorizedError(MAY_NOT_CONNECT)
      return renewed.token
    },
    ...(Socket === undefined ? {} : { websocket: inSmallFrames(Socket) }),
  })
  let open = true
  listen(centrifuge, options, () => open)
  centrifuge.connect()
  const subscriptions = new Map<string, Subscription>()

  return {
    subscriber,
    follow(userId) {
      if (subscriptions.has(userId)) return
      if (subscriptions.size >= FOLLOWED_MAX)
        return options.onRefused(userId, LIMIT_EXCEEDED.code, LIMIT_EXCEEDED.reason)
      const subscription = centrifuge.newSubscription(statusChannel(subscriber.organizationId, userId))
      subscriptions.set(userId, subscription)
      listenToStatus(subscription, userId, options, () => subscriptions.get(userId) === subscription)
      subscription.subscribe()
    },
    unfollow(userId) {
      const subscription = subscriptions.get(userId)
      if (!subscription) return
      subscriptions.delete(userId)
      centrifuge.removeSubscription(subscription)
    },
    close() {
      open = false
      subscriptions.clear()
      centrifuge.disconnect()
    },
  }
}

/** @param isWanted whether the person is still followed by this subscription */
function listenToStatus(
  subscription: Subscription,
  userId: string,
  options: ConnectionEvents,
  isWanted: () => boolean,
): void {
  subscription.on('subscribed', ({ wasRecovering, recovered }) =>
    options.onFollowing(userId, wasRecovering && recovered),
  )
  subscription.on('publication', ({ data }) => {
    const event = parseRealtimeEvent(data)
    if (event) options.onStatusEvent(userId, event)
  })
  subscription.on('unsubscribed', ({ code, reason }) => {
    if (isWanted()) options.onRefused(userId, code, reason)
  })
}

function listen(centrifuge: Centrifuge, options: ConnectionEvents, isOpen: () => boolean): void {
  centrifuge.on('connected', () => isOpen() && options.onConnected())
  centrifuge.on('connecting', ({ code, reason }) => isOpen() && options.onConnecting(code, reason))
  centrifuge.on('disconnected', ({ code, reason }) => isOpen() && options.onClosed(code, reason))
  centrifuge.on('subscribed', ({ channel, wasRecovering, recovered }) => {
    if (isOpen() && wasRecovering && !recovered) options.onGap(channel)
  })
  centrifuge.on('publication', ({ channel, data }) => {
    const event = parseRealtimeEvent(data)
    if (isOpen() && event && !isStatusNamespace(channel)) options.onEvent(channel, event)
  })
  // transport errors: it tries again by itself, and says so by `connecting`
  centrifuge.on('error', () => {})
}

/** The subscriber of a token: the broker subscribes it to the person's own channels, which name them. */
export function subscriberOf(token: string): Subscriber {
  const [, claims = ''] = token.split('.')
  const text = atob(claims.replaceAll('-', '+').replaceAll('_', '/'))
  const { channels, info } = JSON.parse(text) as { channels?: unknown; info?: { sid?: unknown } }
  const sessionId = typeof info?.sid === 'string' ? info.sid : undefined
  for (const channel of Array.isArray(channels) ? channels : []) {
    const own = parseStatusChannel(String(channel).replace(/^user:/, 'status:'))
    if (own) return { organizationId: own.organization, userId: own.user, sessionId }
  }
  throw new TypeError('the connection token names no channel of its person')
}
