import { createHash, createHmac, randomUUID } from 'node:crypto'
import type { Place } from './place.ts'
import type { Scene } from './scene.ts'
import { send } from './send.ts'
import { MARKS, WORST_TEXTS, WORST_VALUES, type WorstText, type WorstValue } from './texts.ts'

type Json = Record<string, unknown>

const MEDIA_BYTES = 1_000 * 1_024
const PROXY_BYTES = 250 * 1_024
const MARK = 'the-worst-text-comes-here'

/** An event of the media server of each kind, and of each the texts that it may carry. */
const EVENTS: readonly { event: string; texts: readonly string[] }[] = [
  {
    event: 'participant_joined',
    texts: [
      'id',
      'event',
      'room.name',
      'room.sid',
      'participant.identity',
      'participant.name',
      'participant.sid',
    ],
  },
  { event: 'room_started', texts: ['room.metadata', 'room.creationTime', 'createdAt'] },
  { event: 'track_published', texts: ['track.sid', 'track.source', 'participant.metadata'] },
  {
    event: 'egress_ended',
    texts: ['egressInfo.error', 'egressInfo.roomName', 'egressInfo.egressId', 'egressInfo.status'],
  },
  {
    event: 'ingress_started',
    texts: ['ingressInfo.roomName', 'ingressInfo.ingressId', 'ingressInfo.inputType'],
  },
]

/** What other programs send: events of the media server, and questions of the broker. */
export function machinePlaces(scene: Scene): Place[] {
  return [
    ...EVENTS.flatMap(({ event, texts }, kind) =>
      texts.map((way, place) => mediaEvent(scene, event, way, kind + place === 0 ? WORST_TEXTS : [MARKS])),
    ),
    ...EVENTS.slice(0, 1).map(({ event }) =>
      mediaEvent(scene, event, 'participant.attributes', WORST_VALUES),
    ),
    ...['channel', 'client', 'user', 'meta.org'].map((way) =>
      question(scene, way, way === 'channel' ? WORST_TEXTS : [MARKS]),
    ),
    question(scene, 'data', WORST_VALUES),
  ]
}

function mediaEvent(scene: Scene, event: string, way: string, worst: Place['worst']): Place {
  return {
    group: 'events of the media server',
    name: `/webhook ${event} ${way}`,
    worst,
    bytesMax: MEDIA_BYTES,
    prepare(made) {
      const now = Math.floor(Date.now() / 1_000)
      const room = { sid: 'RM_cost', name: randomUUID(), creationTime: String(now) }
      const base = {
        event,
        id: randomUUID(),
        createdAt: String(now),
        room,
        participant: { sid: 'PA_cost', identity: '1' },
      }
      const body = bodyOf(base, way, made, worst === WORST_VALUES)
      return send(scene.url, {
        method: 'POST',
        path: '/webhook',
        headers: { 'content-type': 'application/webhook+json', authorization: signature(scene, body, now) },
        body,
      })
    },
  }
}

function question(scene: Scene, way: string, worst: readonly (WorstText | WorstValue)[]): Place {
  const base = { channel: 'status:org:user', client: 'c', user: '1', meta: { org: 'o' }, data: null }
  return {
    group: 'questions of the broker',
    name: `/internal/broker/subscribe ${way}`,
    worst,
    bytesMax: PROXY_BYTES,
    prepare: (made) =>
      send(scene.url, {
        method: 'POST',
        path: '/internal/broker/subscribe',
        headers: { 'content-type': 'application/json', 'x-broker-proxy-secret': scene.proxySecret },
        body: bodyOf(base, way, made, worst === WORST_VALUES),
      }),
  }
}

function bodyOf(base: Json, way: string, made: string, isJson: boolean): string {
  const [first = '', second] = way.split('.')
  const value = second === undefined ? MARK : { ...(base[first] as Json | undefined), [second]: MARK }
  const template = JSON.stringify({ ...base, [first]: value })
  return template.replace(JSON.stringify(MARK), () => (isJson ? made : JSON.stringify(made)))
}

/** As the media server signs: over the bytes of the body. */
function signature({ media }: Scene, body: string, now: number): string {
  const sha256 = createHash('sha256').update(body).digest('base64')
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = { iss: media.key, nbf: now - 5, exp: now + 300, sha256 }
  const signed = `${part({ alg: 'HS256' })}.${part(claims)}`
  return `${signed}.${createHmac('sha256', media.secret).update(signed).digest('base64url')}`
}
