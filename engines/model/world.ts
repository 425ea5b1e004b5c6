import type { OperationId } from '@atrium/contract'
import { mailedCode } from '../mailbox.ts'
import { type Caller, callerOf, type Expected } from './caller.ts'
import { Disagreement, holds, shown } from './disagreement.ts'
import type { Drawn } from './drawn.ts'
import type { ModelOffice } from './office.ts'
import { CAST, newDevice, newPerson } from './people.ts'
import type { ComparedEvent, Device, Organization, Person } from './state.ts'
import { type Tally, tallied } from './tally.ts'

type AnyRequest = (
  id: OperationId,
  input: object,
) => Promise<{ status: number; body: unknown; headers: Headers }>

/** One story: its people, what the rules hold to be true, and the office that it is told of. */
export interface World {
  office: ModelOffice
  /** Of this story alone: other people and organizations live in the same office. */
  mark: string
  people: readonly Person[]
  organizations: Organization[]
  /** Browsers of guests. */
  strangers: readonly Device[]
  knocks: Knock[]
  hasHadAccident: boolean
  /** When a person last came into a room, or left it. */
  movedAt: number
  caller(drawn: Drawn): Caller
  /** Whom it is about: mostly a colleague of the caller's. */
  target(drawn: Drawn, caller: Caller): Person
  person(place: number): Person
  now(): number
  /** Asks, and compares what is answered. @returns its body @throws Disagreement */
  ask(by: Device, id: OperationId, input: object, expected: Expected): Promise<unknown>
  /** A step that goes beside the operations: a page, the chat's data, the stand-in of the media server. */
  fetch: typeof globalThis.fetch
  /** The rules say that everybody in an organization who is connected hears this. */
  tell(organization: Organization, type: ComparedEvent, data: Record<string, unknown>): void
  tellPerson(
    person: Person,
    organization: Organization,
    type: ComparedEvent,
    data: Record<string, unknown>,
  ): void
  /** Waits for the events that are expected. */
  settle(): Promise<void>
  codeFor(email: string, subject?: string): Promise<string>
}

export interface Knock {
  id: string
  from: Person
  to: Person
  organization: Organization
  outcome: string | undefined
  endsAt: number
}

let stories = 0

export function newWorld(office: ModelOffice, tally: Tally): World {
  stories += 1
  const mark = `${Date.now().toString(36)}${stories.toString(36)}`
  const fetch = tallied(tally)
  const device = () => newDevice(office.url, fetch)
  const people = CAST.map((name) =>
    newPerson(name, `${name.toLowerCase()}.${mark}@model.example`, [device(), device()]),
  )
  const person = (place: number) => people[place % people.length] as Person
  const world: World = {
    ...{ office, mark, people, person, fetch },
    ...{ organizations: [], knocks: [], hasHadAccident: false, movedAt: 0 },
    strangers: [device(), device(), device()],
    now: office.now,
    caller: (drawn) => {
      const who = mostly(drawn.other % 4 !== 0, people.filter(isAtWork), drawn.who) ?? person(drawn.who)
      return callerOf(who, placeOf(who, drawn))
    },
    target: ({ whom, one }, { organization }) =>
      mostly(one % 4 !== 0, [...(organization?.members.keys() ?? [])], whom) ?? person(whom),
    ask: (by, id, input, expected) => ask(world, by, id, input, expected),
    tell(organization, type, data) {
      if (type.startsWith('room.')) world.movedAt = Date.now()
      for (const { line } of linesOf(people, organization)) line.expect('organization', type, data)
    },
    tellPerson(whom, organization, type, data) {
      for (const { line } of linesOf([whom], organization)) line.expect('user', type, data)
    },
    async settle() {
      for (const organization of world.organizations)
        for (const { line, name } of linesOf(people, organization)) await line.settle(name)
    },
    codeFor: (email, subject) => mailedCode(office.url, email, subject),
  }
  return world
}

const isAtWork = ({ devices }: Person) => devices.some(({ session }) => session?.organization)

/** One of a list, where it is to be one of them and there is any. */
function mostly<Item>(isToBe: boolean, list: readonly Item[], place: number): Item | undefined {
  return isToBe && list.length > 0 ? list[place % list.length] : undefined
}

/** Mostly a device that is signed in, where the person has one: who is signed out can do little. */
function placeOf({ devices }: Person, { device, other }: Drawn): number {
  const isOut = devices[device === 0 ? 0 : 1].session === undefined
  return isOut && other % 5 !== 0 ? 1 - device : device
}

function linesOf(people: readonly Person[], organization: Organization) {
  return people.flatMap(({ name, devices }) =>
    devices.flatMap(({ line }) => (line?.organization === organization ? [{ name, line }] : [])),
  )
}

async function ask(
  world: World,
  by: Device,
  id: OperationId,
  input: object,
  { status, error, body }: Expected,
): Promise<unknown> {
  const answer = await (by.client.request as AnyRequest)(id, input)
  const what = `${id} ${shown(input)}`
  const said = answer.body as { error?: string } | undefined
  if (answer.status !== status || (error !== undefined && said?.error !== error))
    throw new Disagreement(
      `${what}: the rules say ${status}${error ? ` ${error}` : ''}, the office says ${answer.status} ${shown(answer.body)}`,
    )
  if (body) holds(what, answer.body, body)
  if (by.session && status !== 401) by.session.usedAt = world.now()
  return answer.body
}
