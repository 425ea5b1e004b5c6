import { type OperationId, operationEntries } from '@atrium/contract'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { verifyAuditTrail } from '../../src/access/audit/audit-verdict.ts'
import { trusted } from '../../src/platform/ids.ts'
import type { TestOffice } from '../office.ts'
import { reads } from './operation-row.ts'
import { rows } from './rows.ts'
import { type AnyInput, openTrialOffice, type Stage, send, setStage, standingStage } from './stage.ts'
import { tenantData } from './tenant-data.ts'

const ids = operationEntries.map(([id]) => id)
const audited = ids.filter((id) => typeof rows[id].audit === 'string')
/** About themselves, without a membership yet, or with none afterwards: judged by the operation, under the lock of members. */
const ofTheirOwn: readonly OperationId[] = [
  'finalizeMagicAuth',
  'recoverAccess',
  'selectOrganization',
  'updateProfile',
  'confirmEmailChange',
  'acceptInvitation',
  'joinOrganization',
  'deleteOrganization',
]
const byMembers = audited.filter((id) => !ofTheirOwn.includes(id))
/** A try of a picture counts, whatever came of it. */
const withoutTries = (data: string) => data.replaceAll(/"image_tries_\w+": [^,}]+/g, '')
const silent = ids.filter((id) => typeof rows[id].audit !== 'string')

/** Every operation that changes something of an organization leaves exactly one entry, in the same transaction. */
describe('the audit trail of every operation', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTrialOffice()
    await office.database.pool.query(`
      create function refuse_entry() returns trigger language plpgsql as
      $$ begin raise exception 'no entry today'; end $$;
      create function take_role() returns trigger language plpgsql as
      $$ begin update memberships set role = 'guest' where organization_id = new.organization_id; return new; end $$`)
  })
  afterAll(() => office.close())
  afterEach(() =>
    office.database.pool.query(
      'drop trigger if exists refused on audit_entries; drop trigger if exists demoted on audit_heads',
    ),
  )

  const standing = standingStage(() => setStage(office))

  async function prepared(id: OperationId): Promise<{ stage: Stage; input: AnyInput }> {
    const stage = await standing.now()
    stage.visitor = office.browser()
    return { stage, input: (await rows[id].input?.(stage, callerOf(id, stage))) ?? {} }
  }

  function callerOf(id: OperationId, stage: Stage) {
    const { caller } = rows[id]
    // a sign-in by one of them is the founder's
    if (caller === 'visitor') return { id: stage.founder.id, browser: stage.visitor }
    return caller === 'newcomer' ? stage.newcomer : stage.founder
  }

  async function trailOf({ founder }: Stage) {
    const { rows: entries } = await office.database.pool.query(
      `select a.organization_id, a.action, a.actor_user_id, a.request_id from audit_entries a
        join organizations o on o.id = a.organization_id
        where o.identity_organization_id = $1 order by a.sequence`,
      [founder.organizationId],
    )
    return entries
  }

  it.each(audited)('%s leaves one entry, of its author', async (id) => {
    const { stage, input } = await prepared(id)
    standing.leave()
    const before = await trailOf(stage)
    const caller = callerOf(id, stage)
    const answer = await send(caller.browser, id, input)
    expect(answer.status).toBeLessThan(300)
    const after = await trailOf(stage)
    expect(after.slice(before.length)).toMatchObject([
      {
        action: rows[id].audit,
        actor_user_id: caller.id,
        request_id: answer.headers.get('x-request-id'),
      },
    ])
    const organization = trusted.organizationId(after[0].organization_id)
    const verdict = await verifyAuditTrail(office.database.db, organization)
    expect(verdict).toEqual({ entries: after.length, brokenAt: undefined })
  })

  it.each(audited)('%s changes nothing where its entry cannot be written', async (id) => {
    const { stage, input } = await prepared(id)
    const { organizationId } = stage.founder
    const before = await tenantData(office, organizationId)
    await office.database.pool.query(
      'create trigger refused before insert on audit_entries for each row execute function refuse_entry()',
    )
    const answer = await send(callerOf(id, stage).browser, id, input)
    expect(answer.status).toBe(500)
    expect(await tenantData(office, organizationId)).toBe(before)
  })

  it.each(byMembers)('%s changes nothing where its author has lost their role by then', async (id) => {
    const { stage, input } = await prepared(id)
    standing.leave()
    const { organizationId } = stage.founder
    const before = withoutTries(await tenantData(office, organizationId))
    await office.database.pool.query(
      'create trigger demoted before insert or update on audit_heads for each row execute function take_role()',
    )
    const answer = await send(callerOf(id, stage).browser, id, input)
    expect(answer).toMatchObject({ status: 403, body: { error: 'role-not-allowed' } })
    expect(withoutTries(await tenantData(office, organizationId))).toBe(before)
  })

  it.each(silent)('%s leaves none', async (id) => {
    const { stage, input } = await prepared(id)
    if (rows[id].audit !== reads) standing.leave()
    const before = await trailOf(stage)
    const answer = await send(callerOf(id, stage).browser, id, input)
    expect(answer.status).toBeLessThan(300)
    expect(await trailOf(stage)).toEqual(before)
  })

  it('has a reason for every operation that it says nothing of', () => {
    for (const id of silent) {
      const { audit } = rows[id]
      expect(typeof audit === 'string' ? '' : audit.none).toMatch(/\w{2,} \w{2,}/)
    }
  })
})
