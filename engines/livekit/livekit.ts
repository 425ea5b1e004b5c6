import { fileURLToPath } from 'node:url'
import type { Engine } from '../engine.ts'
import { tryInOwnNetwork } from '../own-network.ts'
import { installLivekit } from './program.ts'

const INSIDE = fileURLToPath(new URL('inside.ts', import.meta.url))

/** A real LiveKit with an office beside it and official clients in the rooms. */
export const livekit: Engine = {
  name: 'livekit',
  about:
    'LiveKit 1.13.5 (or LIVEKIT_BIN), by LIVEKIT_URL, with official WebRTC clients; recordings stay with the stand-in',
  install: installLivekit,
  try: (check) => tryInOwnNetwork(INSIDE, '127.0.0.2', check),
}
