import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Engine } from '../engine.ts'
import { openOperatedOffice } from '../fresh-office.ts'
import type { Ends } from '../processes.ts'
import { MEDIA_SETTINGS } from '../python/rooms.ts'
import { CHAT } from './chat/chat.ts'
import { GENERATED } from './generated/generated.ts'
import { LINTERS } from './generated/linters.ts'
import { ISSUERS } from './issuer/issuer.ts'
import { REALTIME } from './realtime/realtime.ts'
import { BACKENDS } from './rooms/backends.ts'
import { CONFERENCE } from './rooms/conference.ts'
import { ROOMS } from './rooms/rooms.ts'
import { folderFor, lacking, type Walk } from './walk.ts'
import { WEBHOOKS } from './webhooks/webhooks.ts'

const CHAPTERS: Readonly<Record<string, readonly Walk[]>> = {
  'a client that is generated': GENERATED,
  'the published document': LINTERS,
  'realtime events': REALTIME,
  'chat data': CHAT,
  'a delivery is verified': WEBHOOKS,
  'rooms and media': [...BACKENDS, ...ROOMS, CONFERENCE],
  // last: its administrator is then at work in another organization
  'single sign-on and out': ISSUERS,
}

const SETTINGS = { ...MEDIA_SETTINGS, RATE_LIMIT_SIGN_IN_PER_ADDRESS: '0' }

/** Other people's software in five languages, unmodified, against the embedded office (docs/clients.md). */
export const clients: Engine = {
  name: 'clients',
  about: 'generated clients, realtime clients and webhook libraries in TypeScript, Python, Go, Java and Rust',
  install: async () => undefined,
  async try(check) {
    const ends: Ends = []
    try {
      const home = await mkdtemp(join(tmpdir(), 'atrium-clients-'))
      ends.push(() => rm(home, { recursive: true, force: true }))
      const office = await openOperatedOffice(SETTINGS, ends)
      for (const [chapter, walks] of Object.entries(CHAPTERS))
        for (const walk of walks) {
          const why = await lacking(walk)
          if (why) console.log(`  - clients: ${walk.software} is not tried: ${why}`)
          else
            await check(`${chapter}: ${walk.software}`, async () => walk.walk(office, await folderFor(home)))
        }
    } finally {
      for (let end = ends.pop(); end; end = ends.pop()) await end()
    }
  },
}
