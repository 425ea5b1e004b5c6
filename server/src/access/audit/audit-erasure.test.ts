import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../tests/fresh-database.ts'
import type { ErasedPerson } from '../../directory/erasure.ts'
import { insertOrganization } from '../../directory/organizations.ts'
import { ensureUser, findUserByEmail } from '../../directory/users.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { newIdentityId, type OrganizationId, trusted } from '../../platform/ids.ts'
import { type ChainedEntry, GENESIS, hashOf } from './audit-chain.ts'
import { eraseFromTrails, listFormerNames } from './audit-erasure.ts'
import { type AuditEntry, listAuditEntries, recordAudit } from './audit-trail.ts'
import { verifyAuditTrail } from './audit-verdict.ts'

const ODD = 'Ada "Back\\slash"\u0001\b\f\n\r\t\u007f\u2028 é 李 👩‍🚀 </script>'
const WHOLE = { brokenAt: undefined }

describe('a trail of which somebody is erased', () => {
  let database: FreshDatabase
  beforeAll(async () => {
    database = await freshDatabase()
  })
  afterAll(() => database.drop())

  let made = 0
  async function newOrganization(): Promise<OrganizationId> {
    const identityId = trusted.identityOrganizationId(newIdentityId('org', new Date()))
    return (await insertOrganization(database.db, { identityId, name: 'Acme' }, new Date())).id
  }
  async function newPerson(): Promise<ErasedPerson> {
    made += 1
    const email = `person-${made}@people.example`
    const identityId = trusted.identityUserId(newIdentityId('user', new Date()))
    await ensureUser(database.db, { identityId, email, displayName: 'Ada', emailVerified: true }, new Date())
    const { id } = (await findUserByEmail(database.db, email)) ?? {}
    return {
      id: id as ErasedPerson['id'],
      identityId,
      emails: [email],
      names: [],
      deletedAt: new Date(Date.now() + 60_000),
    }
  }
  async function record(organization: OrganizationId, by: ErasedPerson, entry: AuditEntry): Promise<void> {
    const author = { user: { id: by.id }, requestId: 'r', address: '192.0.2.7' }
    await transaction(database.db, (tx) => recordAudit(tx, organization, author, new Date(), entry))
  }
  const renamed = (person: ErasedPerson, displayName: string): AuditEntry => ({
    action: 'member.renamed',
    target: { kind: 'user', id: person.id },
    detail: { displayName },
  })
  const entriesOf = (organization: OrganizationId) =>
    listAuditEntries(database.db, organization, { oldestFirst: true, limit: 100 })

  /** A trail about two people, as it grows in a day. */
  async function trail() {
    const [organization, ada, ben] = [await newOrganization(), await newPerson(), await newPerson()]
    await record(organization, ada, renamed(ada, ODD))
    await record(organization, ben, renamed(ben, 'Ben'))
    const [email = ''] = ada.emails
    await record(organization, ben, {
      action: 'invitation.sent',
      target: { kind: 'invitation', id: 'invitation_1' },
      detail: { email, role: 'member' },
    })
    await record(organization, ben, {
      action: 'invitation.failed',
      target: { kind: 'email', id: email },
      detail: { reason: 'already-member' },
    })
    return { organization, ada, ben, email }
  }

  /** A change by hand, of an attacker with write access to the database. */
  async function tampered(change: string, values: unknown[]): Promise<void> {
    await database.pool.query('alter table audit_entries disable trigger audit_entries_stay')
    await database.pool.query(change, values)
    await database.pool.query('alter table audit_entries enable trigger audit_entries_stay')
  }

  it('tells what it told before it was split, until they are erased; of others afterwards too', async () => {
    const { organization, ada, email } = await trail()
    const told = async () =>
      (await entriesOf(organization)).map(({ targetId, detail, address }) => [targetId, detail, address])
    expect(await told()).toEqual([
      [ada.id, { displayName: ODD }, '192.0.2.7'],
      [expect.anything(), { displayName: 'Ben' }, '192.0.2.7'],
      ['invitation_1', { email, role: 'member' }, '192.0.2.7'],
      [email, { reason: 'already-member' }, '192.0.2.7'],
    ])
    expect(await listFormerNames(database.db, ada.id)).toEqual([ODD])

    for (let times = 0; times < 2; times++) await eraseFromTrails(database.db, ada, new Date())
    expect(await told()).toEqual([
      [ada.id, {}, ''],
      [expect.anything(), { displayName: 'Ben' }, '192.0.2.7'],
      ['invitation_1', { role: 'member' }, '192.0.2.7'],
      ['', { reason: 'already-member' }, '192.0.2.7'],
      [ada.id, {}, ''],
    ])
    expect(await verifyAuditTrail(database.db, organization)).toEqual({ entries: 5, ...WHOLE })
    expect((await entriesOf(organization)).at(-1)?.action).toBe('member.erased')
  })

  it('is hashed by the database as it is by us', async () => {
    const { organization } = await trail()
    const { rows } = await database.pool.query(
      `select hash = audit_entry_hash(a, coalesce(lag(hash) over (order by sequence), $2)) as same
        from audit_entries a where organization_id = $1`,
      [organization, GENESIS],
    )
    expect(rows).toEqual(Array.from({ length: 4 }, () => ({ same: true })))
  })

  it.each([
    [
      'another value',
      `update audit_entries set personal = '{"displayName":"Eve"}' where organization_id = $1 and sequence = 2`,
    ],
    [
      'another network',
      `update audit_entries set address = '192.0.2.8' where organization_id = $1 and sequence = 2`,
    ],
    [
      'a value that is gone, and its salt is not',
      `update audit_entries set personal = '{}' where organization_id = $1 and sequence = 2`,
    ],
    [
      'a value that is gone of somebody who is not erased',
      `update audit_entries set personal = '{}', personal_salt = null where organization_id = $1 and sequence = 2`,
    ],
    [
      'another commitment',
      `update audit_entries set personal_commitment = '\\x00' where organization_id = $1 and sequence = 2`,
    ],
  ])('finds out: %s', async (_, change) => {
    const { organization, ada } = await trail()
    await eraseFromTrails(database.db, ada, new Date())
    await tampered(change, [organization])
    expect(await verifyAuditTrail(database.db, organization)).toMatchObject({ brokenAt: '2' })
  })

  it.each([
    `set address = '192.0.2.8', address_salt = null`,
    `set personal = '{"displayName":"Eve"}', personal_salt = null`,
    `set personal = '{}', personal_salt = null, action = 'member.left'`,
    `set personal = '{}'`,
    `set hash = '\\x00', address = '', address_salt = null`,
  ])('refuses in the database: %s', async (change) => {
    const { organization } = await trail()
    const statement = `update audit_entries ${change} where organization_id = $1 and sequence = 2`
    await expect(database.pool.query(statement, [organization])).rejects.toThrow('never changed')
  })

  /** As the release before writes beside this one. */
  async function recordBefore(
    organization: OrganizationId,
    by: ErasedPerson,
    detail: object,
  ): Promise<Buffer> {
    const { rows } = await database.pool.query(
      'select sequence, hash from audit_heads where organization_id = $1',
      [organization],
    )
    const at = '2026-11-01T10:00:00.000Z'
    const none = { salt: null, commitment: null }
    const entry: ChainedEntry = {
      ...{ chain: 1, organizationId: organization, sequence: String(BigInt(rows[0].sequence) + 1n), at },
      ...{ actorKind: 'user', actorUserId: by.id, actorTokenId: null, action: 'member.renamed' },
      ...{ targetKind: 'user', targetId: by.id, requestId: 'r', detail: JSON.stringify(detail) },
      ...{ address: { value: '192.0.2.9', ...none }, personal: { value: '{}', ...none } },
    }
    const hash = hashOf(entry, rows[0].hash)
    await database.pool.query(
      `insert into audit_entries (organization_id, sequence, at, actor_kind, actor_user_id, action, target_kind, target_id, request_id, address, detail, hash)
        values ($1, $2, $3, 'user', $4::bigint, 'member.renamed', 'user', $4::bigint::text, 'r', '192.0.2.9', $5, $6)`,
      [organization, entry.sequence, at, by.id, entry.detail, hash],
    )
    await database.pool.query('update audit_heads set sequence = $2, hash = $3 where organization_id = $1', [
      organization,
      entry.sequence,
      hash,
    ])
    return hash
  }

  it('takes out what a node of the release before has written, by a new chain; the head of before is kept', async () => {
    const { organization, ada, ben } = await trail()
    const head = await recordBefore(organization, ada, { displayName: ODD, calls: 3 })
    await record(organization, ben, renamed(ben, 'Benjamin'))
    expect(await verifyAuditTrail(database.db, organization)).toEqual({ entries: 6, ...WHOLE })

    await eraseFromTrails(database.db, ada, new Date())
    expect(await verifyAuditTrail(database.db, organization)).toEqual({ entries: 7, ...WHOLE })
    const entries = await entriesOf(organization)
    expect(entries[4]).toMatchObject({ detail: { calls: 3 }, address: '' })
    expect(entries[5]).toMatchObject({ detail: { displayName: 'Benjamin' }, address: '192.0.2.7' })
    expect(JSON.stringify(entries)).not.toContain('Back')
    const { rows } = await database.pool.query(
      'select sequence, hash from audit_former_heads where organization_id = $1',
      [organization],
    )
    expect(rows).toMatchObject([{ sequence: '6' }])
    expect(rows[0].hash.equals(head)).toBe(false)
  })

  it('makes no chain anew that does not hold: what was changed is still seen', async () => {
    const { organization, ada } = await trail()
    await recordBefore(organization, ada, { displayName: 'Ada' })
    await tampered(
      `update audit_entries set detail = '{"displayName":"Eve"}' where organization_id = $1 and sequence = 5`,
      [organization],
    )
    const { rows } = await database.pool.query('select rechain_audit_trail($1) as entries', [organization])
    expect(rows).toEqual([{ entries: null }])
    expect(await verifyAuditTrail(database.db, organization)).toMatchObject({ brokenAt: '5' })
  })
})
