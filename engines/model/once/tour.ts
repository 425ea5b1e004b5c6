import { type OperationId, operations } from '@atrium/contract'
import type { ModelOffice } from '../office.ts'
import { setScene } from '../scene.ts'
import { newTally, type Tally } from '../tally.ts'
import { newWorld } from '../world.ts'
import { accounts } from './accounts.ts'
import { calendars, pictures } from './calendars-and-pictures.ts'
import { everyday } from './everyday.ts'
import { files } from './files.ts'
import { messages } from './messages.ts'
import type { Cast } from './once.ts'
import { directories, records, webhooks } from './programs.ts'
import { pushes } from './pushes.ts'
import { rooms, talks } from './rooms.ts'

/** Operations that no success can be had of from outside, and why. */
export const CANNOT: Partial<Record<OperationId, string>> = {
  readTranscript: 'it wants a service that writes down speech',
  verifyOrganizationDomain: 'it looks for a record in the DNS, which the trial does not hold',
  releaseDirectoryName: 'it wants a domain that the DNS proves',
  testSingleSignOn: 'it wants a client that an issuer knows, whose secret the sandbox keeps to itself',
  activateSingleSignOn: 'it wants a test of single sign-on that has passed',
  deactivateSingleSignOn: 'it wants single sign-on that is in force',
}

const CHAPTERS = {
  everyday,
  accounts,
  calendars,
  pictures,
  webhooks,
  directories,
  rooms,
  talks,
  messages,
  pushes,
  files,
  records,
}

/** What random steps come by too rarely, once, from its beginning to its end. @returns disagreements, a line each */
export async function tour(office: ModelOffice, tally: Tally): Promise<string[]> {
  const disagreements: string[] = []
  for (const [chapter, tell] of Object.entries(CHAPTERS)) {
    const world = newWorld(office, tally)
    await setScene(world)
    const [ada, bob, cem, dora] = world.people
    const [acme] = world.organizations
    const cast = { world, ada, bob, cem, dora, acme } as Cast
    await tell(cast).catch((error: Error) => disagreements.push(`${chapter}: ${error.message}`))
  }
  return disagreements
}

/** What neither succeeded nor is listed, and what is listed and succeeded. */
export function uncalled({ succeeded }: Tally = newTally()): string[] {
  const ids = Object.keys(operations) as OperationId[]
  return ids.filter((id) => succeeded.has(id) === id in CANNOT)
}
