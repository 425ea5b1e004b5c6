import { type Operation, type OperationId, operationEntries, operations } from '@atrium/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyAuditTrail } from '../../src/access/audit/audit-verdict.ts'
import { findOrganization } from '../../src/directory/organizations.ts'
import { type OrganizationId, trusted } from '../../src/platform/ids.ts'
import type { TestOffice } from '../office.ts'
import { newMember, type Person } from '../people.ts'
import { type IdKind, idKinds, reads } from './operation-row.ts'
import { rows } from './rows.ts'
import { type AnyInput, openTrialOffice, type Stage, send, setStage, standingStage } from './stage.ts'
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

/** Fields of an operation that take any text: where another organization's id could be put. */
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
  /** What has been published since it was asked last that names the other organization or one of its members. */
  let published: (given: string) => Promise<string[]>
  let values: Record<IdKind, string>
  /** Texts that only the other organization knows. */
  let canaries: string[]
  beforeAll(async () => {
    office = await openTrialOffice()
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
    const serviceToken = await foreign.serviceToken()
    const webhook = await foreign.webhook()
    const directory = await foreign.directory()
    const domain = await foreign.domain()
    const { clientSecret } = await foreign.signOn('tested')
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
      'guest invite id': await foreign.guestInvite(),
      'recording id': film.id,
      'egress id': film.egressId,
      'service token id': serviceToken.id,
      'webhook id': webhook.id,
      'directory connection id': directory.connectionId,
      'directory group id': directory.groupId,
      'domain id': domain.id,
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
      serviceToken.token,
      webhook.secret,
      directory.token,
      domain.secret,
      clientSecret,
    ]
  })
  afterAll(() => office.close())

  // many calls in one test, and the other side is shared: one that is given up half way would disturb the next
  it.each(places)('$id: everything as $name', { timeout: 240_000 }, async ({ id, field }) => {
    const kinds = idKinds.filter((kind) => !rows[id].capability?.[field.name]?.includes(kind))
    const own = await ownSide(id)
    await published('')
    const before = await otherSide()
    let isSpent = false
    let isRenewed = false
    for (const kind of kinds) {
      if (isSpent) await renew(id, own)
      isRenewed ||= isSpent
      const changed = await attempt(id, field, kind, own)
      if (changed) standing.leave()
      // what has been done cannot always be done again; codes and tokens of visitors bear few tries
      isSpent = changed || operations[id].access.kind === 'public'
    }
    expect(await otherSide(), `${id} with something foreign as ${field.name}`).toBe(before)
    if (isRenewed) await control(id, own)
  })

  interface Own {
    stage: Stage
    actor: Person
    /** What the operation takes, good but for the field that is tried. */
    input: AnyInput
  }

  const standing = standingStage(async (): Promise<Omit<Own, 'input'>> => {
    const stage = await setStage(office, 'Own')
    return { stage, actor: await actorOf(office, stage, foreign) }
  })

  async function ownSide(id: OperationId): Promise<Own> {
    const own: Own = { ...(await standing.now()), input: {} }
    if (rows[id].caller === 'newcomer') own.actor = own.stage.newcomer
    await renew(id, own)
    return own
  }

  /** The next attempt is refused for what it is, and not because the one before has used something up. */
  async function renew(id: OperationId, own: Own): Promise<void> {
    own.stage.visitor = office.browser()
    own.input = (await rows[id].input?.(own.stage, own.actor)) ?? {}
  }

  /** What has been tried on the same stage again and again would have succeeded to the end, but for the foreign value. */
  async function control(id: OperationId, own: Own): Promise<void> {
    standing.leave()
    await renew(id, own)
    const { status } = await call(id, own, own.input)
    expect(status, `${id} with nothing foreign`).toBeLessThan(300)
  }

  function call(id: OperationId, { stage, actor }: Own, input: AnyInput) {
    return send(rows[id].caller === 'visitor' ? stage.visitor : actor.browser, id, input)
  }

  async function attempt(id: OperationId, field: Field, kind: IdKind, own: Own): Promise<boolean> {
    const value = values[kind]
    const answer = await call(id, own, { ...own.input, [field.name]: field.isList ? [value] : value })

    const attempted = `${id} with the ${kind} as ${field.name}`
    expect(answer.status, attempted).toBeLessThan(500)
    expect(await published(value), attempted).toEqual([])
    const shown = JSON.stringify(answer.body ?? '')
    const leaked = canaries.filter((canary) => canary !== value && shown.includes(canary))
    expect(leaked, attempted).toEqual([])
    return answer.status < 300 && rows[id].audit !== reads
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

  it('of the trail only refused ways in were added by others, and it is unbroken', async () => {
    const { database } = office
    const { rows: refused } = await database.pool.query<{ operation: OperationId }>(
      `select distinct a.detail->>'operation' as operation from audit_entries a
        join organizations o on o.id = a.organization_id
        where o.identity_organization_id = $1 and a.action = 'member.sign-in-refused'`,
      [foreign.founder.organizationId],
    )
    const waysIn = refused.filter(({ operation }) => budgetsOf(operation).includes('sign-in-per-address'))
    expect(waysIn).toEqual(refused)
    const organization = await findOrganization(
      database.db,
      trusted.identityOrganizationId(foreign.founder.organizationId),
    )
    const verdict = await verifyAuditTrail(database.db, organization?.id as OrganizationId)
    expect(verdict.brokenAt).toBeUndefined()
  })

  it('are tried in every combination', () => {
    const tried = new Set(places.map(({ id }) => id))
    expect(tried.size).toBeGreaterThanOrEqual(21)
    expect(places.length).toBeGreaterThanOrEqual(33)
  })
}

/** Ways in are the operations with the budget of sign-ins. */
function budgetsOf(id: OperationId): readonly string[] {
  const declared: Operation = operations[id]
  return declared.budgets ?? []
}
