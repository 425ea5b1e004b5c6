import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { Benchmark } from './benchmark.ts'
import { applyLoad } from './load.ts'
import { openBare, openContest, openProduction, pinSides, underLoad } from './opening.ts'
import { insertRoom } from './room.ts'
import type { ServerProcess } from './server-process.ts'

const BASELINE = fileURLToPath(new URL('room-token-baseline.ts', import.meta.url))
const MEDIA_SERVER = fileURLToPath(new URL('room-token-media-server.ts', import.meta.url))
const CONNECTIONS = 20
const KEY = 'bench'

/**
 * What a token costs: by itself, and with the call to the media server that opens the room before. No goal is set for
 * either: below these something has gone wrong.
 */
export const roomToken = against(
  'room-token',
  'mints a token with the SDK of LiveKit, and no more: no session, no room looked up, none opened',
  'mint',
  0.05,
)
export const roomTokenOpened = against(
  'room-token-opened',
  'opens the room and mints a token with the SDK of LiveKit: no session, no room looked up',
  'open',
  0.5,
)

function against(name: string, bareDoes: string, work: 'mint' | 'open', ratioMin: number): Benchmark {
  return {
    name,
    describe: `POST /api/v1/rtc/room-auth with a session, as production serves it, against bare node:http that ${bareDoes}`,
    unit: 'requests/s',
    goal: { ratioMin },
    prepare: ({ seconds }) =>
      openContest(async (ends) => {
        const secret = randomBytes(32).toString('base64url')
        const media = await openBare(ends, MEDIA_SERVER)
        const { office, running, person, base } = await openProduction(ends, {
          LIVEKIT_URL: media.base,
          LIVEKIT_API_KEY: KEY,
          LIVEKIT_API_SECRET: secret,
          LIVEKIT_PUBLIC_URL: 'ws://127.0.0.1:9',
          RECORDINGS_WEBHOOK_SECRET: randomBytes(32).toString('base64url'),
          MEDIA_SWEEP_SECONDS: '0',
        })
        const roomId = await insertRoom(await office.databaseUrl(), person)
        const bare = await openBare(ends, BASELINE, [KEY, secret, roomId, media.base, work])
        pinSides(ends, running, bare)
        const headers = { 'content-type': 'application/json', cookie: person.cookie }
        const request = {
          method: 'POST',
          headers,
          body: JSON.stringify({ username: 'Ada', roomId }),
        } as const
        const load = (url: string, { pid }: ServerProcess, duration: number) =>
          applyLoad({ ...request, url, pid, connections: CONNECTIONS, seconds: duration })
        return await underLoad(seconds, {
          subject: (duration) => load(`${base}/api/v1/rtc/room-auth`, running, duration),
          baseline: (duration) => load(`${bare.base}/`, bare, duration),
        })
      }),
  }
}
