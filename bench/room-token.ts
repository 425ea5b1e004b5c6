import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { applyBareLoad } from './bare-load.ts'
import type { Benchmark } from './benchmark.ts'
import { employ } from './noisy-tenants.ts'
import { openBare, openContest, openProduction, type Production, pinSides, underLoad } from './opening.ts'
import { insertRoom } from './room.ts'
import type { ServerProcess } from './server-process.ts'

const BASELINE = fileURLToPath(new URL('room-token-baseline.ts', import.meta.url))
const MEDIA_SERVER = fileURLToPath(new URL('room-token-media-server.ts', import.meta.url))
const CONNECTIONS = 20
const KEY = 'bench'
const PEOPLE = 200
const ROOMS = 50

/**
 * What a token costs: by itself, for a person who comes again and again, so that the media server is asked each time;
 * and where many come into rooms together, as in the morning, when it is asked for the first of each room. No goal is set
 * for the first: below it something has gone wrong.
 */
export const roomToken = against(
  'room-token',
  {
    ours: 'of one person for one room, again and again',
    bare: 'mints a token with the SDK of LiveKit, and no more: no session, no room looked up, none opened',
    work: 'mint',
  },
  { people: 1, rooms: 1 },
  0.05,
)
export const roomTokenOpened = against(
  'room-token-opened',
  {
    ours: `of ${PEOPLE} people who come into ${ROOMS} rooms`,
    bare: 'opens the room and mints a token with the SDK of LiveKit each time: no session, no room looked up',
    work: 'open',
  },
  { people: PEOPLE, rooms: ROOMS },
  0.6,
)

interface Said {
  ours: string
  bare: string
  work: 'mint' | 'open'
}

function against(
  name: string,
  { ours, bare: bareDoes, work }: Said,
  crowd: { people: number; rooms: number },
  ratioMin: number,
): Benchmark {
  return {
    name,
    describe: `POST /api/v1/rtc/room-auth with sessions, ${ours}, as production serves it, against bare node:http that ${bareDoes}`,
    unit: 'requests/s',
    goal: { ratioMin },
    prepare: ({ seconds }) =>
      openContest(async (ends) => {
        const secret = randomBytes(32).toString('base64url')
        const media = await openBare(ends, MEDIA_SERVER)
        const production = await openProduction(ends, {
          LIVEKIT_URL: media.base,
          LIVEKIT_API_KEY: KEY,
          LIVEKIT_API_SECRET: secret,
          LIVEKIT_PUBLIC_URL: 'ws://127.0.0.1:9',
          RECORDINGS_WEBHOOK_SECRET: randomBytes(32).toString('base64url'),
          MEDIA_SWEEP_SECONDS: '0',
        })
        const { running, base } = production
        const { roomIds, cookies } = await gather(production, crowd)
        const bare = await openBare(ends, BASELINE, [KEY, secret, roomIds[0] as string, media.base, work])
        pinSides(ends, running, bare)
        const clients = roomIds.flatMap((roomId) =>
          cookies.map((cookie) => ({
            headers: { 'content-type': 'application/json', cookie },
            body: JSON.stringify({ username: 'Ada', roomId }),
          })),
        )
        const load = (url: string, { pid }: ServerProcess, duration: number) =>
          applyBareLoad({ method: 'POST', url, clients, pid, connections: CONNECTIONS, seconds: duration })
        return await underLoad(seconds, {
          subject: (duration) => load(`${base}/api/v1/rtc/room-auth`, running, duration),
          baseline: (duration) => load(`${bare.base}/`, bare, duration),
        })
      }),
  }
}

async function gather({ office, person }: Production, { people, rooms }: { people: number; rooms: number }) {
  const databaseUrl = await office.databaseUrl()
  const roomIds: string[] = []
  for (let n = 1; n <= rooms; n += 1) roomIds.push(await insertRoom(databaseUrl, person, `Room ${n}`))
  const colleagues = await employ(databaseUrl, person, people - 1)
  return { roomIds, cookies: [person.cookie, ...colleagues.map(({ cookie }) => cookie)] }
}
