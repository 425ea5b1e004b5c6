import { randomBytes, randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { Benchmark, Sample } from './benchmark.ts'
import { applyLoad } from './load.ts'
import {
  type Delivery,
  deliveryOf,
  MEDIA_KEY,
  mediaSettings,
  participantOf,
  sessionOf,
} from './media-deliveries.ts'
import { openBare, openContest, openProduction, pinSides, underLoad } from './opening.ts'
import { insertRoom } from './room.ts'
import type { ServerProcess } from './server-process.ts'

const BASELINE = fileURLToPath(new URL('webhook-baseline.ts', import.meta.url))
const CONNECTIONS = 20
/** Signed beforehand: the load must not spend its time on that. More than one sample takes. */
const EVENTS = 40_000

export const webhook: Benchmark = {
  name: 'webhook',
  describe:
    "POST /webhook, as production serves it, with writing down and processing beside it, against bare node:http with the receiver of LiveKit's SDK, which forgets what it took",
  unit: 'requests/s',
  goal: { ratioMin: 0.8 },
  prepare: ({ seconds }) =>
    openContest(async (ends) => {
      const secret = randomBytes(32).toString('base64url')
      const { office, running, person, base } = await openProduction(ends, mediaSettings(secret))
      const room = await insertRoom(await office.databaseUrl(), person)
      const bare = await openBare(ends, BASELINE, [MEDIA_KEY, secret])
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
function deliveries(room: string, secret: string): () => Delivery {
  const now = Math.floor(Date.now() / 1_000)
  const session = sessionOf(room, `RM_${randomUUID()}`, now)
  let count = 0
  let prepared: Delivery[] = []
  const prepare = () => {
    prepared = Array.from({ length: EVENTS }, (_, at) => {
      const person = Math.floor(at / 2)
      const participant = participantOf(String(1_000 + person), `PA_${count}_${person}`, now)
      const event = at % 2 === 0 ? 'participant_joined' : 'participant_left'
      const id = `EV_${count}_${at}`
      return deliveryOf({ event, room: session, participant, id, createdAt: String(now) }, secret)
    }).reverse()
    count += 1
  }
  prepare()
  return () => {
    const delivery = prepared.pop()
    if (delivery) return delivery
    prepare()
    return prepared.pop() as Delivery
  }
}

async function dropped(base: string): Promise<number> {
  // made once a second
  await new Promise((resolve) => setTimeout(resolve, 1_100))
  const text = await (await fetch(`${base}/metrics`)).text()
  return Number(/^rtc_webhook_dropped_total\{[^}]*\} (\d+)$/m.exec(text)?.[1] ?? Number.NaN)
}
