import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../tests/fresh-database.ts'
import { insertOrganization } from '../../directory/organizations.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { newIdentityId, type OrganizationId, trusted } from '../../platform/ids.ts'
import { listAuditEntries, OPERATOR, recordAudit } from './audit-trail.ts'
import { verifyAuditTrail } from './audit-verdict.ts'

describe('the audit trail', () => {
  let database: FreshDatabase
  beforeAll(async () => {
    database = await freshDatabase()
  })
  afterAll(() => database.drop())

  async function newOrganization(): Promise<OrganizationId> {
    const identityId = trusted.identityOrganizationId(newIdentityId('org', new Date()))
    return (await insertOrganization(database.db, { identityId, name: 'Acme' }, new Date())).id
  }

  async function record(organization: OrganizationId, name: string): Promise<void> {
    const entry = {
      action: 'organization.renamed',
      target: { kind: 'organization', id: 'org_x' },
      detail: { name },
    } as const
    await transaction(database.db, (tx) => recordAudit(tx, organization, OPERATOR, new Date(), entry))
  }

  async function tampered(change: string, organization: OrganizationId): Promise<void> {
    await database.pool.query('alter table audit_entries disable trigger audit_entries_stay')
    await database.pool.query(change, [organization])
    await database.pool.query('alter table audit_entries enable trigger audit_entries_stay')
  }

  it('chains fifty entries written at once, without a gap', async () => {
    const organization = await newOrganization()
    await Promise.all(Array.from({ length: 50 }, (_, n) => record(organization, `Name ${n}`)))
    expect(await verifyAuditTrail(database.db, organization)).toEqual({ entries: 50, brokenAt: undefined })
    const entries = await listAuditEntries(database.db, organization, { oldestFirst: true, limit: 100 })
    expect(entries.map(({ sequence }) => Number(sequence))).toEqual(
      Array.from({ length: 50 }, (_, n) => n + 1),
    )
  })

  it('leaves nothing behind of a transaction that is rolled back', async () => {
    const organization = await newOrganization()
    await record(organization, 'kept')
    const failed = transaction(database.db, async (tx) => {
      const target = { kind: 'organization', id: 'org_x' } as const
      await recordAudit(tx, organization, OPERATOR, new Date(), { action: 'organization.deleted', target })
      throw new Error('no')
    })
    await expect(failed).rejects.toThrow('no')
    expect(await verifyAuditTrail(database.db, organization)).toEqual({ entries: 1, brokenAt: undefined })
  })

  it.each([
    ['update audit_entries set detail = \'{"name":"x"}\' where organization_id = $1 and sequence = 2', '2'],
    ["update audit_entries set address = '10.0.0.1' where organization_id = $1 and sequence = 3", '3'],
    ["update audit_entries set at = at + interval '1 ms' where organization_id = $1 and sequence = 2", '2'],
    ['delete from audit_entries where organization_id = $1 and sequence = 2', '2'],
    ['delete from audit_entries where organization_id = $1 and sequence = 3', '3'],
    ['delete from audit_entries where organization_id = $1 and sequence = 1', '1'],
  ])('finds out: %s', async (change, brokenAt) => {
    const organization = await newOrganization()
    for (const name of ['one', 'two', 'three']) await record(organization, name)
    await tampered(change, organization)
    expect((await verifyAuditTrail(database.db, organization)).brokenAt).toBe(brokenAt)
  })

  it.each(["update audit_entries set address = ''", 'delete from audit_entries', 'truncate audit_entries'])(
    'refuses: %s',
    async (statement) => {
      await record(await newOrganization(), 'kept')
      await expect(database.pool.query(statement)).rejects.toThrow('never changed')
    },
  )
})
