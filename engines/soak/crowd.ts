import { parseRealtimeEvent, statusChannel } from '@atrium/contract/events'
import { WebSocket } from 'ws'
import type { CentrifugoNode } from '../centrifugo/node.ts'
import type { Person } from './stage.ts'

/** Fewer than one person may have (`client_user_connection_limit`). */
export const CONNECTIONS_OF_A_PERSON = 16
/** Connections that are made at the same time. */
const LANES = 32
/** A token is renewed so long before it ends. */
const RENEWED_BEFORE_S = 60

/** One event that one connection has received. */
export interface Heard {
  channel: string
  status: string
  at: number
}

export interface Crowd {
  open(): number
  /** Connections that were closed, for whatever reason, and why. */
  closed: Map<string, number>
  failed: number
  /** How many connections listen to a person. */
  listenersOf(id: string): number
  onHeard: (heard: Heard) => void
  close(): void
}

/** So many connections at both brokers, each of which listens to the status of one colleague. */
export async function gatherCrowd(
  people: readonly Person[],
  brokers: readonly [CentrifugoNode, CentrifugoNode],
  count: number,
): Promise<Crowd> {
  const sockets = new Set<WebSocket>()
  const listeners = new Map<string, number>()
  let closing = false
  const crowd: Crowd = {
    open: () => sockets.size,
    closed: new Map(),
    failed: 0,
    listenersOf: (id) => listeners.get(id) ?? 0,
    onHeard: () => {},
    close() {
      closing = true
      for (const socket of sockets) socket.terminate()
    },
  }
  const connect = async (n: number) => {
    const person = people[n % people.length] as Person
    const heard = colleagueOf(people, n)
    const channel = statusChannel(person.organization, heard.id)
    const { token } = await person.client.call('mintConnectionToken')
    const socket = new WebSocket(brokers[n % 2 ? 1 : 0].url)
    const closed = (why: string) => {
      if (closing || !sockets.delete(socket)) return
      listeners.set(heard.id, crowd.listenersOf(heard.id) - 1)
      crowd.closed.set(why, (crowd.closed.get(why) ?? 0) + 1)
    }
    socket.on('close', (code, reason) => closed(`${code} ${reason}`))
    await subscribed({ socket, token, channel, person, onHeard: (one) => crowd.onHeard(one) })
    sockets.add(socket)
    listeners.set(heard.id, crowd.listenersOf(heard.id) + 1)
  }
  let next = 0
  const lane = async () => {
    while (next < count) {
      const n = next++
      await connect(n).catch(() => {
        crowd.failed += 1
      })
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return crowd
}

/** Of the same company, and another one for each round of connections. */
function colleagueOf(people: readonly Person[], n: number): Person {
  const person = people[n % people.length] as Person
  const colleagues = people.filter(({ organization }) => organization === person.organization)
  const own = colleagues.indexOf(person)
  return colleagues[(own + 1 + Math.floor(n / people.length)) % colleagues.length] as Person
}

interface Subscription {
  socket: WebSocket
  token: string
  channel: string
  person: Person
  onHeard: (heard: Heard) => void
}

/** Connects and subscribes in the protocol of Centrifugo, of which this is all that is needed; renews its token. */
function subscribed({ socket, token, channel, person, onHeard }: Subscription): Promise<void> {
  const done = Promise.withResolvers<void>()
  let command = 2
  const renew = async () => {
    const fresh = await person.client.call('mintConnectionToken').catch(() => undefined)
    if (fresh && socket.readyState === WebSocket.OPEN)
      socket.send(JSON.stringify({ id: ++command, refresh: { token: fresh.token } }))
  }
  const renewIn = (ttl: number) => {
    const timer = setTimeout(() => void renew(), Math.max(1, ttl - RENEWED_BEFORE_S) * 1_000)
    timer.unref()
    socket.once('close', () => clearTimeout(timer))
  }
  socket.on('open', () => {
    socket.send(
      `${JSON.stringify({ id: 1, connect: { token } })}\n${JSON.stringify({ id: 2, subscribe: { channel } })}`,
    )
  })
  socket.on('message', (data) => {
    for (const line of String(data).split('\n')) {
      if (line === '{}') socket.send('{}')
      const said = JSON.parse(line) as Said
      if (said.error) done.reject(new Error(said.error.message))
      if (said.id === 2 && said.subscribe) done.resolve()
      const ttl = said.connect?.ttl ?? said.refresh?.ttl
      if (ttl) renewIn(ttl)
      if (!said.push?.pub || said.push.channel !== channel) continue
      const status = parseRealtimeEvent(said.push.pub.data)?.data as { status?: string } | undefined
      onHeard({ channel, status: status?.status ?? '', at: performance.now() })
    }
  })
  socket.on('error', (error) => done.reject(error))
  socket.on('close', (code) => done.reject(new Error(`closed: ${code}`)))
  return done.promise
}

interface Said {
  id?: number
  error?: { message: string }
  connect?: { ttl?: number }
  refresh?: { ttl?: number }
  subscribe?: object
  push?: { channel: string; pub?: { data: unknown } }
}
