import { fileURLToPath } from 'node:url'
import { missingChromium } from '../browser/chromium.ts'
import { installCentrifugo } from '../centrifugo/program.ts'
import type { Engine } from '../engine.ts'
import { installLivekit } from '../livekit/program.ts'
import { ADDRESS } from '../livekit-pages/livekit-pages.ts'
import { tryInOwnNetwork } from '../own-network.ts'
import { install as installStore, VERSITYGW } from '../s3/stores.ts'
import { DATABASE } from './database.ts'

const INSIDE = fileURLToPath(new URL('inside.ts', import.meta.url))

/** The same day as on the parts that `npm start` brings along. */
export const workingDay: Engine = {
  name: 'working-day',
  about:
    'a day of three people and a guest in Chromium, on Centrifugo, LiveKit, PostgreSQL 17 and versitygw at once; nobody records',
  async install() {
    for (const install of [
      missingChromium,
      installCentrifugo,
      installLivekit,
      () => installStore(VERSITYGW),
      DATABASE.install,
    ]) {
      const missing = await install()
      if (missing !== undefined) return missing
    }
    return undefined
  },
  try: (check) => tryInOwnNetwork(INSIDE, ADDRESS, check),
}
