import { type Operation, type OperationId, operationEntries, operations } from '@atrium/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../office.ts'
import { newMember, type Person } from '../people.ts'
import { type IdKind, idKinds, reads, rows } from './rows.ts'
import { type AnyInput, type Stage, send, setStage } from './stage.ts'
import { keepPublished, tenantData } from './tenant-data.ts'

interface Field {
  name: string
  isList: boolean
}

interface Schema {
  type?: string
  enum?: unknown[]
  items?: Schema
  anyOf?: Schema[]
}

/** Fields of an operation that take any text: where an id of somebody else could be put. */
function textFieldsOf(declared: Operation): Field[] {
  const properties = [declared.params, declared.query, declared.body].flatMap((part) =>
    Object.entries((part?.properties ?? {}) as Record<string, Schema>),
  )
  const takesText = (schema: Schema): boolean =>
    (schema.type === 'string' && !schema.enum) || (schema.anyOf ?? []).some(takesText)
  return properties
    .map(([name, schema]) => ({ name, schema, isList: schema.type === 'array' }))
    .filter(({ schema, isList }) => takesText(isList ? (schema.items ?? {}) : schema))
}

const places = operationEntries.flatMap(([id, declared]) =>
  textFieldsOf(declared).map((field) => ({ id, field, name: field.name })),
)

export interface Outsider {
  /** Who tries, as the test is called. */
  name: string
  /** @param stage of the caller's own organization @param foreign of the one that is tried */
  actorOf(office: TestOffice, stage: Stage, foreign: Stage): Promise<Person>
}

/**
 * Every operation × every field that takes text × everything that names something of another organization, by a
 * caller who has nothing to do with it (any more): they get nothing, change nothing, publish nothing. One file for each
 * such caller, so that the files run side by side.
 */
export function describeTenants({ name, actorOf }: Outsider): void {
  describe(`tenants: ${name}`, () => describeTrials(actorOf))
}

function describeTrials(actorOf: Outsider['actorOf']): void {
  let office: TestOffice
  let foreign: Stage
  /** What has been published since it was asked last that names the other organization or somebody in it. */
  let published: (given: string) => Promise<string[]>
  let values: Record<IdKind, string>
  /** Texts that only the other organization knows. */
  let canaries: string[]
  beforeAll(async () => {
    office = await openTestOffice()
    foreign = await setStage(office, 'Canary Holdings')
    const { founder, guest } = foreign
    for (const { browser } of [founder, guest]) {
      await browser.call('updateProfile', { displayName: `Canary ${Math.random()}` })
    }
    for (let n = 0; n < 2; n += 1) await foreign.invitation()
    const { id: invitationId, token } = await foreign.invitation()
    const [{ data: members }, invitations, audit] = await Promise.all([
      founder.browser.call('listMembers'),
      founder.browser.call('listInvitation', { limit: 1 }),
      founder.browser.call('listAuditLog', { limit: 1 }),
    ])
    const linkToken = await foreign.linkToken()
    const room = await foreign.room()
    const { guestIdentity } = await foreign.waitingGuest()
    const guestToken = await foreign.guestToken(room.id)
    const film = await foreign.film()
    published = await keepPublished(office, founder.organizationId)
    values = {
      // not the admin: rules about the last one would stand in for the check that is missing
      'user id': guest.id,
      'identity user id': members[0]?.presenceUserId as string,
      'e-mail': founder.email,
      'organization id': founder.organizationId,
      'organization name': 'Canary Holdings',
      'invitation id': invitationId,
      'invitation token': token,
      'link token': linkToken,
      'invitation cursor': invitations.after as string,
      'audit cursor': audit.after as string,
      'sign-in token': await foreign.pendingSignIn(),
      'room id': room.id,
      'room name': room.name,
      'guest token': guestToken,
      'guest identity': guestIdentity,
      'recording id': film.id,
      'egress id': film.egressId,
    }
    canaries = [
      ...members.flatMap(({ displayName, email, presenceUserId }) => [displayName, email, presenceUserId]),
      founder.organizationId,
      'Canary Holdings',
      invitationId,
      token,
      linkToken,
      foreign.newcomer.email,
      room.id,
      room.name,
      guestToken,
      guestIdentity,
      film.id,
      film.egressId,
    ]
  })
  afterAll(() => office.close())

  // many calls in one test, and the other side is shared: one that is given up half way would disturb the next
  it.each(places)('$id: everything as $name', { timeout: 240_000 }, async ({ id, field }) => {
    let own: Own | undefined
    for (const kind of idKinds) {
      if (rows[id].capability?.[field.name]?.includes(kind)) continue
      own ??= await ownSide(id)
      const changed = await attempt(id, field, kind, own)
      // what the next one would find of it is not what a caller begins with; codes and tokens of visitors bear few tries
      if (changed || operations[id].access.kind === 'public') own = undefined
    }
  })

  interface Own {
    stage: Stage
    actor: Person
    /** What the operation takes, good but for the field that is tried. */
    input: AnyInput
  }

  async function ownSide(id: OperationId): Promise<Own> {
    const stage = await setStage(office, 'Own')
    const actor = rows[id].caller === 'newcomer' ? stage.newcomer : await actorOf(office, stage, foreign)
    return { stage, actor, input: (await rows[id].input?.(stage)) ?? {} }
  }

  async function attempt(id: OperationId, field: Field, kind: IdKind, own: Own): Promise<boolean> {
    const row = rows[id]
    const value = values[kind]
    const input = { ...own.input, [field.name]: field.isList ? [value] : value }
    // not earlier: jobs go on about the people who have just come and gone
    const [before] = await Promise.all([otherSide(), published('')])

    const answer = await send(row.caller === 'visitor' ? own.stage.visitor : own.actor.browser, id, input)

    const attempted = `${id} with the ${kind} as ${field.name}`
    expect(answer.status, attempted).toBeLessThan(500)
    expect(await otherSide(), attempted).toBe(before)
    expect(await published(value), attempted).toEqual([])
    const shown = JSON.stringify(answer.body ?? '')
    const leaked = canaries.filter((canary) => canary !== value && shown.includes(canary))
    expect(leaked, attempted).toEqual([])
    return answer.status < 300 && row.audit !== reads
  }

  function otherSide(): Promise<string> {
    return tenantData(office, foreign.founder.organizationId)
  }

  it('the two organizations are each whole at the end', async () => {
    const { founder, guest } = foreign
    const { data } = await founder.browser.call('listMembers')
    expect(data.map(({ id }) => id).sort()).toEqual([founder.id, guest.id].sort())
    expect(await newMember(office, founder, 'member')).toBeDefined()
  })

  it('are tried in every combination', () => {
    const tried = new Set(places.map(({ id }) => id))
    expect(tried.size).toBeGreaterThanOrEqual(21)
    expect(places.length).toBeGreaterThanOrEqual(33)
  })
}
