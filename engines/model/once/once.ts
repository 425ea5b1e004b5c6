import type { OperationId } from '@atrium/contract'
import { eventually } from '../../waiting.ts'
import type { Expected } from '../caller.ts'
import type { Device, Organization, Person } from '../state.ts'
import type { World } from '../world.ts'

/** Those whom a chapter that is told once is about. */
export interface Cast {
  world: World
  ada: Person
  bob: Person
  cem: Person
  dora: Person
  acme: Organization
}

export const OK: Expected = { status: 200 }
export const DONE: Expected = { status: 204 }

/** Asks as a person, by their first device. */
export async function asks<Body = unknown>(
  { world }: Pick<Cast, 'world'>,
  person: Person | Device,
  id: OperationId,
  input: object = {},
  expected: Expected = OK,
): Promise<Body> {
  const device = 'devices' in person ? person.devices[0] : person
  return (await world.ask(device, id, input, expected)) as Body
}

export const soon = <Found>(what: string, find: () => Promise<Found | false | undefined>) =>
  eventually(what, find, { withinMs: 60_000, everyMs: 200 })
