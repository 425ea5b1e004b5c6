import { AccessToken } from 'livekit-server-sdk'
import { type Conformance, tryLeaving, tryMediaConformance } from '../embedded-media/conformance.ts'
import { tryFour } from '../embedded-media/four.ts'
import { openBrowsers, openFrontEnd } from '../embedded-media/pages.ts'
import { openScene } from '../embedded-media/scene.ts'
import { openFreshOffice } from '../fresh-office.ts'
import { LIVEKIT, livekitServer } from '../livekit/server.ts'
import { signalOnly } from '../livekit/signal.ts'
import { reportingCheck } from '../own-network.ts'
import type { Ends } from '../processes.ts'
import { tryTruthAt } from '../web/truth.ts'
import { ADDRESS } from './livekit-pages.ts'

/** Runs in the network of its own: office, LiveKit and browsers. */

const CHECK_WITHIN_MS = 5 * 60_000
const PEOPLE = 4

const check = reportingCheck(CHECK_WITHIN_MS)
const ends: Ends = []
try {
  const frontEnd = await openFrontEnd(ends)
  const url = await openFreshOffice(
    {
      ALLOWED_ORIGINS: frontEnd,
      RATE_LIMIT_GUEST_PER_ADDRESS: '0',
      MEDIA_SWEEP_SECONDS: '1',
      LIVEKIT_URL: LIVEKIT.url,
      LIVEKIT_API_KEY: LIVEKIT.apiKey,
      LIVEKIT_API_SECRET: LIVEKIT.apiSecret,
      LIVEKIT_PUBLIC_URL: LIVEKIT.publicUrl,
    },
    ends,
  )
  const place = { address: ADDRESS, interfaces: 'rtc0', peopleMax: PEOPLE }
  const server = livekitServer(`${url}/webhook`, place)
  await server.start()
  ends.push(() => server.stop())
  const scene = await openScene(url)
  const visitor = await openBrowsers(frontEnd, ends)
  // a room is recorded as long as a recorder is inside; the machine that would send one is not here
  const record: Conformance['record'] = async () => {
    const token = new AccessToken(LIVEKIT.apiKey, LIVEKIT.apiSecret, { identity: 'EG_recorder', ttl: 60 })
    token.addGrant({ roomJoin: true, room: scene.roomId, recorder: true, hidden: true, canPublish: false })
    token.kind = 'egress'
    const { vanish } = await signalOnly(await token.toJwt())
    return async () => vanish()
  }
  // in whatever words: they are not ours
  const roomIsFull = /./
  const pages = await tryMediaConformance({ scene, visitor, check, record, roomIsFull })
  await tryFour(scene, { visitor, pages, camerasMax: undefined }, check)
  await tryLeaving(scene, pages, check)
  await tryTruthAt(url, check)
} finally {
  for (const end of ends.reverse()) await end()
}
process.exit(0)
