import { parseRealtimeEvent } from '@atrium/contract/events'
import { Centrifuge } from 'centrifuge'

/** A program of its own, started by `crowd.ts`: the connections of the soak at one broker, by the official client. */

/** What the parent sends: the connections, then the tokens that it is asked for (none: it could not get one). */
export type ToListeners =
  | { kind: 'connect'; url: string; connections: readonly Wanted[] }
  | { kind: 'token'; request: number; token?: string }

/** A person's connection that listens to a channel. The parent knows the person by the number. */
export interface Wanted {
  person: number
  channel: string
}

export type FromListeners =
  | { kind: 'ask'; request: number; person: number }
  | { kind: 'listening' | 'failed'; channel: string }
  /** The client connects or subscribes again by itself, and is told what it missed. */
  | { kind: 'closed' | 'resubscribed'; reason: string }
  /** `at`: milliseconds since 1970. */
  | { kind: 'heard'; channel: string; status: string; at: number }

/** Connections that are made at the same time. */
const LANES = 16
const LISTENS_WITHIN_MS = 60_000

const waiting = new Map<number, PromiseWithResolvers<string>>()
let requests = 0

process.on('message', (message: ToListeners) => {
  if (message.kind === 'connect') return void connectAll(message.url, message.connections)
  const asked = waiting.get(message.request)
  waiting.delete(message.request)
  if (message.token) asked?.resolve(message.token)
  else asked?.reject(new Error('there is no token'))
})
process.on('disconnect', () => process.exit())

function say(message: FromListeners): void {
  // the parent may end first: then so does this program
  process.send?.(message, undefined, undefined, () => {})
}

async function connectAll(url: string, connections: readonly Wanted[]): Promise<void> {
  const left = connections.values()
  const lane = async () => {
    for (const wanted of left) await listen(url, wanted)
  }
  await Promise.all(Array.from({ length: LANES }, lane))
}

async function listen(url: string, { person, channel }: Wanted): Promise<void> {
  const client = new Centrifuge(url, { getToken: () => tokenOf(person) })
  const subscription = client.newSubscription(channel)
  subscription.on('publication', ({ data }) => {
    const status = (parseRealtimeEvent(data)?.data as { status?: string } | undefined)?.status ?? ''
    say({ kind: 'heard', channel, status, at: Date.now() })
  })
  subscription.subscribe()
  client.connect()
  try {
    await subscription.ready(LISTENS_WITHIN_MS)
  } catch {
    client.disconnect()
    say({ kind: 'failed', channel })
    return
  }
  const report = (kind: 'closed' | 'resubscribed') => (why: { code: number; reason: string }) =>
    say({ kind, reason: `${why.code} ${why.reason}` })
  client.on('connecting', report('closed'))
  client.on('disconnected', report('closed'))
  subscription.on('unsubscribed', report('closed'))
  subscription.on('subscribing', report('resubscribed'))
  say({ kind: 'listening', channel })
}

function tokenOf(person: number): Promise<string> {
  const request = requests++
  const asked = Promise.withResolvers<string>()
  waiting.set(request, asked)
  say({ kind: 'ask', request, person })
  return asked.promise
}
