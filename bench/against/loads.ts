import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { askBarely } from '../bare-load.ts'
import { askOften, type Load } from '../load.ts'
import { deliveryOf, participantOf, sessionOf } from '../media-deliveries.ts'
import { processorTimeOfThreads } from '../processor-time.ts'
import { askedOfBroker } from '../subscribe-proxy.ts'
import { chatToken } from './furnish.ts'
import type { Scene } from './scene.ts'

const CONNECTIONS = 10
/** What goes on behind an answer is over when a look sees hardly any work. */
const SETTLED_MICROSECONDS = 5_000
const LOOK_MS = 100
const SETTLED_WITHIN_MS = 30_000

type Took = (milliseconds: number) => void
type Request = Pick<Load, 'method' | 'headers' | 'body' | 'clients'>

/** One kind of request, by the name of its benchmark. */
export interface AgainstLoad {
  name: string
  path: string
  /** What is answered at once is processed behind the answers for many times as long: a slice of it is enough. */
  slowBehind?: boolean
  /** A request as it is sent, to see first whether it is answered. */
  one(scene: Scene): Promise<{ headers: Record<string, string>; body: string }>
  ask(scene: Scene, seconds: number, took: Took): Promise<void>
}

const JSON_TYPE = { 'content-type': 'application/json' }

export const LOADS: readonly AgainstLoad[] = [
  signedIn('user-get', '/user/get', () => ({})),
  signedIn('presence-snapshot', '/presence/snapshot', ({ everybody }) => ({
    userIds: everybody.map(({ userId }) => userId),
  })),
  signedIn('members-list', '/members/list', () => ({ query: 'colleague' })),
  signedIn('rooms-list', '/api/v1/rtc/rooms/list', () => ({})),
  // many come into many rooms: whoever comes again at once is not let in for less
  same('room-token', '/api/v1/rtc/room-auth', async ({ everybody, roomIds }) => ({
    method: 'POST',
    clients: roomIds.flatMap((roomId) =>
      everybody.map(({ cookie }) => ({
        headers: { ...JSON_TYPE, cookie },
        body: JSON.stringify({ username: 'Ada', roomId }),
      })),
    ),
  })),
  same('chat-messages', '/rest/v1/rpc/get_conversation_messages', async ({ base, conversations }) => {
    const clients = await Promise.all(
      conversations.map(async ({ cookie, conversation }) => ({
        headers: { ...JSON_TYPE, authorization: await chatToken(base, cookie) },
        body: JSON.stringify({ p_conversation_id: conversation, p_limit: 50 }),
      })),
    )
    return { method: 'POST', clients }
  }),
  same('subscribe-proxy', '/internal/broker/subscribe', async ({ proxySecret }) => ({
    method: 'POST',
    headers: { ...JSON_TYPE, 'x-broker-proxy-secret': proxySecret },
    body: askedOfBroker(),
  })),
  deliveries(),
]

function signedIn(name: string, path: string, body: (scene: Scene) => object): AgainstLoad {
  return same(name, path, async (scene) => ({
    method: 'POST',
    headers: { ...JSON_TYPE, cookie: scene.first.cookie },
    body: JSON.stringify(body(scene)),
  }))
}

/** The same request again and again, or those of many people in turn. */
function same(name: string, path: string, request: (scene: Scene) => Promise<Request>): AgainstLoad {
  return {
    name,
    path,
    async one(scene) {
      const { headers = {}, body = '', clients } = await request(scene)
      return clients?.[0] ?? { headers, body }
    },
    async ask(scene, seconds, took) {
      const asked = await request(scene)
      await askBarely({ ...asked, url: scene.base + path, connections: CONNECTIONS, seconds }, took)
    },
  }
}

/** Events of the media server: what is written down and processed behind the answer is waited for, and counted. */
function deliveries(): AgainstLoad {
  const path = '/webhook'
  return {
    name: 'webhook',
    path,
    slowBehind: true,
    one: async (scene) => deliveriesTo(scene)(),
    async ask(scene, seconds, took) {
      const next = deliveriesTo(scene)
      const url = scene.base + path
      await askOften({ method: 'POST', url, next, connections: CONNECTIONS, seconds }, took)
      await settled(scene.pid)
    },
  }
}

/** People come into a room and leave it, each event for the first time. */
function deliveriesTo({ roomIds: [roomId = ''], mediaSecret }: Scene) {
  const now = Math.floor(Date.now() / 1_000)
  const session = sessionOf(roomId, `RM_${randomUUID()}`, now)
  const sids = randomUUID()
  let count = 0
  return () => {
    const person = Math.floor(count / 2)
    const event = count % 2 === 0 ? 'participant_joined' : 'participant_left'
    const participant = participantOf(String(100_000 + person), `PA_${sids}_${person}`, now)
    const id = `EV_${sids}_${count}`
    count += 1
    return deliveryOf({ event, room: session, participant, id, createdAt: String(now) }, mediaSecret)
  }
}

/** Waits until a process hardly works any more. */
export async function settled(pid: number): Promise<void> {
  const until = performance.now() + SETTLED_WITHIN_MS
  let before = processorTimeOfThreads(pid) ?? 0
  while (performance.now() < until) {
    await pause(LOOK_MS)
    const after = processorTimeOfThreads(pid) ?? 0
    if (after - before < SETTLED_MICROSECONDS) return
    before = after
  }
}
