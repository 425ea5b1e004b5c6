import type { Engine } from '../engine.ts'
import { openFreshOffice } from '../fresh-office.ts'
import type { Ends } from '../processes.ts'
import { walkWorkers } from './walk.ts'
import { WORKER_KINDS } from './workers.ts'

const SECRET = 'a-secret-of-the-embedded-media-server'

/** Workers of livekit-agents as they are, at the media server that an office brings along. */
export const agents: Engine = {
  name: 'agents',
  about: 'workers of livekit-agents (PyPI and npm), dispatched into rooms of the embedded media server',
  install: installWorkers,
  async try(check) {
    for (const kind of WORKER_KINDS) {
      const ends: Ends = []
      try {
        const officeUrl = await openFreshOffice({ LIVEKIT_API_SECRET: SECRET }, ends)
        // the key's name of an office without a LiveKit
        const keys = { apiKey: 'sandbox', apiSecret: SECRET }
        const place = { officeUrl, mediaUrl: officeUrl.replace('http', 'ws'), ...keys, takesOver: true }
        await walkWorkers(kind, place, ends, check)
      } finally {
        for (let next = ends.pop(); next; next = ends.pop()) await next()
      }
    }
  },
}

/** @returns why they cannot be had here */
export async function installWorkers(): Promise<string | undefined> {
  for (const { name, install } of WORKER_KINDS)
    try {
      await install()
    } catch (error) {
      return `livekit-agents for ${name} cannot be had: ${(error as Error).message.split('\n')[0]}`
    }
  return undefined
}
