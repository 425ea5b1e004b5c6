import assert from 'node:assert/strict'
import { missingChromium } from '../browser/chromium.ts'
import type { Check, Engine } from '../engine.ts'
import { openFreshOffice } from '../fresh-office.ts'
import type { Ends } from '../processes.ts'
import { tryLeaving, tryMediaConformance } from './conformance.ts'
import { tryFilms } from './films.ts'
import { tryFour } from './four.ts'
import { tryLoss, tryLostHandshake } from './loss.ts'
import { type OpenVisitor, openBrowsers, openFrontEnd } from './pages.ts'
import { openScene, type Scene } from './scene.ts'
import { tryTrouble } from './trouble.ts'

const CAMERAS = 4
const LIMITS = {
  EMBEDDED_MEDIA_PEOPLE: '4',
  EMBEDDED_MEDIA_CAMERAS: String(CAMERAS),
  EMBEDDED_MEDIA_WAITING: '1',
}

/** Rooms of `npm start` on a bare machine, entered with the official client. */
export const embeddedMedia: Engine = {
  name: 'embedded-media',
  about: 'the official LiveKit client in Chromium, in rooms of the embedded media server',
  install: missingChromium,
  async try(check) {
    const ends: Ends = []
    try {
      const frontEnd = await openFrontEnd(ends)
      const settings = {
        ...LIMITS,
        ALLOWED_ORIGINS: frontEnd,
        RATE_LIMIT_GUEST_PER_ADDRESS: '0',
        MEDIA_SWEEP_SECONDS: '1',
      }
      const url = await openFreshOffice(settings, ends)
      const scene = await openScene(url)
      await tryAll(scene, { visitor: await openBrowsers(frontEnd, ends), ends }, check)
    } finally {
      for (let end = ends.pop(); end; end = ends.pop()) await end()
    }
  },
}

async function tryAll(
  scene: Scene,
  { visitor, ends }: { visitor: OpenVisitor; ends: Ends },
  check: Check,
): Promise<void> {
  const { ada, roomId, url } = scene
  await check('the office says that its rooms are served by the embedded media server', async () => {
    assert.equal((await ada.client.call('describeOffice')).media, 'embedded')
    const authorized = await ada.client.call('authorizeRoom', { roomId, username: 'Ada' })
    assert.equal(authorized.url, url.replace('http', 'ws'))
  })
  const record = () => startRecording(scene)
  const pages = await tryMediaConformance({ scene, visitor, check, record, roomIsFull: /This room is full/ })
  await tryFour(scene, { visitor, pages, camerasMax: CAMERAS }, check)
  await tryTrouble(scene, pages, check)
  await tryLeaving(scene, pages, check)
  const studio = await ada.client.call('createRoom', { name: 'Studio' })
  await tryFilms({ ...scene, roomId: studio.room.id }, { visitor }, check)
  const quiet = await ada.client.call('createRoom', { name: 'Quiet Room' })
  await tryLoss({ ...scene, roomId: quiet.room.id }, { visitor, ends }, check)
  const deaf = await ada.client.call('createRoom', { name: 'Deaf Room' })
  await tryLostHandshake({ ...scene, roomId: deaf.room.id }, { visitor, ends }, check)
  const { tryAssistant } = await withQuietClient(() => import('./assistant.ts'))
  await tryAssistant(scene, { ends }, check)
  const { room } = await ada.client.call('createRoom', { name: 'Corridor' })
  const { tryHundred } = await withQuietClient(() => import('./hundred.ts'))
  await tryHundred({ ...scene, roomId: room.id }, check)
}

/** @returns stops it */
async function startRecording({ ada: { client }, roomId }: Scene): Promise<() => Promise<unknown>> {
  const about = { roomName: roomId, conferenceTopic: 'Weekly', zoneId: 'zone-1', participants: 'Ada' }
  const { egressId } = await client.call('startRecording', about)
  return () => client.call('stopRecording', { roomName: roomId, egressId, zoneId: 'zone-1' })
}

/** The client for servers writes a line for each connection, where it is not loaded in production. */
async function withQuietClient<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  const { NODE_ENV } = process.env
  process.env.NODE_ENV = 'production'
  try {
    return await load()
  } finally {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = NODE_ENV
  }
}
