import { fileURLToPath } from 'node:url'
import { missingChromium } from '../browser/chromium.ts'
import type { Engine } from '../engine.ts'
import { installLivekit } from '../livekit/program.ts'
import { tryInOwnNetwork } from '../own-network.ts'

const INSIDE = fileURLToPath(new URL('inside.ts', import.meta.url))
/** Chromium looks for no way from an address within 127/8. Nothing leaves this network. */
export const ADDRESS = '10.87.0.1'

/** The same trials as of the embedded media server. */
export const livekitPages: Engine = {
  name: 'livekit-pages',
  about:
    'LiveKit 1.13.5 (or LIVEKIT_BIN) with its official client in Chromium: what the embedded media server is held to',
  install: async () => (await missingChromium()) ?? (await installLivekit()),
  try: (check) => tryInOwnNetwork(INSIDE, ADDRESS, check),
}
