import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { isBuilt } from '@atrium/web/built-folder.ts'
import { missingChromium, openBrowserWithMedia } from '../browser/chromium.ts'
import { descendants } from '../descendants.ts'
import type { Engine } from '../engine.ts'
import { openOperatedOffice } from '../fresh-office.ts'
import { installLivekit } from '../livekit/program.ts'
import { tryInOwnNetwork } from '../own-network.ts'
import type { Ends } from '../processes.ts'
import { eventually } from '../waiting.ts'
import { trySealedRoom } from './sealed-room.ts'
import { openTaps } from './tap.ts'

const INSIDE = fileURLToPath(new URL('inside.ts', import.meta.url))
/** Chromium looks for no way from an address within 127/8. */
export const ADDRESS = '10.87.0.2'
const PICTURES = fileURLToPath(new URL('../../.engines/sealed', import.meta.url))

/** Everybody comes from one address. */
export const NO_RATES = { RATE_LIMIT_SIGN_IN_PER_ADDRESS: '0', RATE_LIMIT_GUEST_PER_ADDRESS: '0' }

/** A sealed room of the web office in a real browser, on the embedded media server. */
export const sealed: Engine = {
  name: 'sealed',
  about: 'a sealed room in Chromium: two members and a guest, four words, what the office keeps, and a tap',
  install: missingChromium,
  async try(check) {
    const ends: Ends = []
    try {
      const operated = await openOperatedOffice(NO_RATES, ends)
      await eventually('the web office is built', isBuilt, { withinMs: 180_000, everyMs: 500 })
      const openBrowser = () => openBrowserWithMedia(ends)
      const browser = await openBrowser()
      await mkdir(PICTURES, { recursive: true })
      const openTap = await openTaps(ends)
      await trySealedRoom(
        { ...operated, browser, pictures: PICTURES },
        { openTap, openBrowser, lose: () => lose(operated.processNow()), hasOwnMedia: true },
        check,
      )
    } finally {
      for (let end = ends.pop(); end; end = ends.pop()) await end()
    }
  },
}

/** The process that carries media is killed; the office starts another. @param office its process: others beside it carry theirs */
async function lose(office: number): Promise<void> {
  const carriers = () => descendants(office, 'media-process.ts')
  const [before] = carriers()
  if (before === undefined) throw new Error('no process carries media')
  process.kill(before, 'SIGKILL')
  await eventually('another process carries media', async () => carriers().some((pid) => pid !== before))
}

/** The same on LiveKit. */
export const sealedLivekit: Engine = {
  name: 'sealed-livekit',
  about: 'the same sealed room on LiveKit 1.13.5 (or LIVEKIT_BIN)',
  install: async () => (await missingChromium()) ?? (await installLivekit()),
  try: (check) => tryInOwnNetwork(INSIDE, ADDRESS, check),
}
