import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { Benchmark, Sample } from './benchmark.ts'
import { applyLoad } from './load.ts'
import { openBare, openContest, openProduction, pinSides, underLoad } from './opening.ts'
import { insertRoom } from './room.ts'
import type { ServerProcess } from './server-process.ts'

const BASELINE = fileURLToPath(new URL('webhook-baseline.ts', import.meta.url))
const CONNECTIONS = 20
/** Signed beforehand: the load must not spend its time on that. More than one sample takes. */
const EVENTS = 40_000
const KEY = 'bench'

export const webhook: Benchmark = {
  name: 'webhook',
  describe:
    "POST /webhook, as production serves it, with writing down and processing beside it, against bare node:http with the receiver of LiveKit's SDK, which forgets what it took",
  unit: 'requests/s',
  goal: { ratioMin: 0.8 },
  prepare: ({ seconds }) =>
    openContest(async (ends) => {
      const secret = randomBytes(32).toString('base64url')
      const production = await openProduction(ends, {
        LIVEKIT_URL: 'http://127.0.0.1:9',
        LIVEKIT_API_KEY: KEY,
        LIVEKIT_API_SECRET: secret,
        LIVEKIT_PUBLIC_URL: 'ws://127.0.0.1:9',
        RECORDINGS_WEBHOOK_SECRET: randomBytes(32).toString('base64url'),
        MEDIA_SWEEP_SECONDS: '0',
      })
      const { office, running, person, base } = production
      const room = await insertRoom(await office.databaseUrl(), person)
      const bare = await openBare(ends, BASELINE, [KEY, secret])
      pinSides(ends, running, bare)

      const next = deliveries(room, secret)
      const load = (url: string, { pid }: ServerProcess, duration: number) =>
        applyLoad({ method: 'POST', url, pid, next, connections: CONNECTIONS, seconds: duration })
      return await underLoad(seconds, {
        async subject(duration): Promise<Sample> {
          const before = await dropped(base)
          const sample = await load(`${base}/webhook`, running, duration)
          return { ...sample, details: { ...sample.details, dropped: (await dropped(base)) - before } }
        },
        baseline: (duration) => load(`${bare.base}/webhook`, bare, duration),
      })
    }),
}

/** Signed deliveries of events that have not been there before: people come into a room and leave it. */
function deliveries(room: string, secret: string) {
  const now = Math.floor(Date.now() / 1_000)
  const session = {
    sid: `RM_${randomUUID()}`,
    name: room,
    creationTime: String(now),
    creationTimeMs: `${now}000`,
  }
  let count = 0
  let prepared: { headers: Record<string, string>; body: string }[] = []
  const prepare = () => {
    prepared = Array.from({ length: EVENTS }, (_, at) => {
      const person = Math.floor(at / 2)
      const participant = {
        sid: `PA_${count}_${person}`,
        identity: String(1_000 + person),
        state: 'ACTIVE',
        joinedAt: String(now),
        joinedAtMs: `${now}000`,
        name: `Person ${person}`,
        version: 2,
        permission: { canSubscribe: true, canPublish: true, canPublishData: true },
      }
      const event = at % 2 === 0 ? 'participant_joined' : 'participant_left'
      const id = `EV_${count}_${at}`
      const body = JSON.stringify({ event, room: session, participant, id, createdAt: String(now) })
      const headers = { 'content-type': 'application/webhook+json', authorization: sign(body, secret) }
      return { headers, body }
    }).reverse()
    count += 1
  }
  prepare()
  return () => {
    const delivery = prepared.pop()
    if (delivery) return delivery
    prepare()
    return prepared.pop() as NonNullable<typeof delivery>
  }
}

function sign(body: string, secret: string): string {
  const now = Math.floor(Date.now() / 1_000)
  const sha256 = createHash('sha256').update(body).digest('base64')
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = { iss: KEY, nbf: now, iat: now, exp: now + 300, sha256 }
  const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}

async function dropped(base: string): Promise<number> {
  // made once a second
  await new Promise((resolve) => setTimeout(resolve, 1_100))
  const text = await (await fetch(`${base}/metrics`)).text()
  return Number(/^rtc_webhook_dropped_total\{[^}]*\} (\d+)$/m.exec(text)?.[1] ?? Number.NaN)
}
