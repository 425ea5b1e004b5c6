import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { isBuilt } from '@atrium/web/built-folder.ts'
import { openBrowserWithMedia } from '../browser/chromium.ts'
import { openOperatedOffice } from '../fresh-office.ts'
import { LIVEKIT, livekitServer } from '../livekit/server.ts'
import { reportingCheck } from '../own-network.ts'
import type { Ends } from '../processes.ts'
import { eventually } from '../waiting.ts'
import { ADDRESS, NO_RATES } from './sealed.ts'
import { trySealedRoom } from './sealed-room.ts'
import { openTaps } from './tap.ts'

/** Runs in the network of its own: office, LiveKit and browsers. */

const CHECK_WITHIN_MS = 3 * 60_000
const PICTURES = fileURLToPath(new URL('../../.engines/sealed-livekit', import.meta.url))

const check = reportingCheck(CHECK_WITHIN_MS)
const ends: Ends = []
try {
  const media = {
    LIVEKIT_URL: LIVEKIT.url,
    LIVEKIT_API_KEY: LIVEKIT.apiKey,
    LIVEKIT_API_SECRET: LIVEKIT.apiSecret,
    LIVEKIT_PUBLIC_URL: LIVEKIT.publicUrl,
  }
  const operated = await openOperatedOffice({ ...NO_RATES, ...media }, ends)
  const server = livekitServer(`${operated.url}/webhook`, {
    address: ADDRESS,
    interfaces: 'rtc0',
    peopleMax: 10,
  })
  await server.start()
  ends.push(() => server.stop())
  await eventually('the web office is built', isBuilt, { withinMs: 180_000, everyMs: 500 })
  const openBrowser = () => openBrowserWithMedia(ends)
  const browser = await openBrowser()
  await mkdir(PICTURES, { recursive: true })
  const openTap = await openTaps(ends)
  const lose = async () => {
    await server.kill()
    await server.start()
  }
  await trySealedRoom(
    { ...operated, browser, pictures: PICTURES },
    { openTap, openBrowser, lose, hasOwnMedia: false },
    check,
  )
} finally {
  for (let end = ends.pop(); end; end = ends.pop()) await end()
}
process.exit(0)
