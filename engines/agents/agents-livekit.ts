import { fileURLToPath } from 'node:url'
import type { Engine } from '../engine.ts'
import { installLivekit } from '../livekit/program.ts'
import { tryInOwnNetwork } from '../own-network.ts'
import { installWorkers } from './agents.ts'

const INSIDE = fileURLToPath(new URL('inside.ts', import.meta.url))

/** The same workers where a real LiveKit dispatches them. */
export const agentsLivekit: Engine = {
  name: 'agents-livekit',
  about: 'the same workers at LiveKit 1.13.5 (or LIVEKIT_BIN), by its AgentDispatchService',
  install: async () => (await installLivekit()) ?? (await installWorkers()),
  try: (check) => tryInOwnNetwork(INSIDE, '127.0.0.2', check),
}
