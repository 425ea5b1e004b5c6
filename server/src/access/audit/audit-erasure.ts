import { sql } from 'kysely'
import type { ErasedPerson } from '../../directory/erasure.ts'
import { listTakenOver } from '../../directory/imported-accounts.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { type OrganizationId, trusted, type UserId } from '../../platform/ids.ts'
import { recordAudit } from './audit-trail.ts'

/**
 * Takes a person's values out of their trails, with its salts, and writes into each of these trails that it was done.
 * Their id stays: it leads to no person any more.
 */
export async function eraseFromTrails(db: Db, person: ErasedPerson, now: Date): Promise<void> {
  const former = await listTakenOver(db, person.id)
  for (const id of [person.id, ...former]) await eraseFromTrailsOf(db, { ...person, id }, now)
}

async function eraseFromTrailsOf(db: Db, person: ErasedPerson, now: Date): Promise<void> {
  for (const organization of await listTrails(db, person))
    await transaction(db, async (tx) => {
      // while the previous release runs beside this one, it writes entries that nothing can be taken out of
      await sql`select rechain_audit_trail(${organization})`.execute(tx)
      if (!(await takeOut(tx, organization, person))) return
      await recordAudit(tx, organization, { user: { id: person.id }, requestId: '', address: '' }, now, {
        action: 'member.erased',
        target: { kind: 'user', id: person.id },
      })
    })
}

/** What they were called before: the trails have every name that they have chosen. */
export async function listFormerNames(db: Db, user: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct personal ->> 'displayName' as name from audit_entries
    where target_kind = 'user' and target_id = ${user} and personal ->> 'displayName' is not null`.execute(db)
  return rows.map(({ name }) => name)
}

/** Every organization with entries by the person or about them: each join makes one. */
export async function listOrganizationsOf(db: Db, user: UserId): Promise<OrganizationId[]> {
  const { rows } = await sql<{ id: string }>`
    select organization_id as id from audit_entries where actor_user_id = ${user}
    union select organization_id from audit_entries where target_kind = 'user' and target_id = ${user}`.execute(
    db,
  )
  return rows.map((row) => trusted.organizationId(row.id))
}

async function listTrails(db: Db, { id, emails, deletedAt }: ErasedPerson): Promise<OrganizationId[]> {
  const { rows } = await sql<{ id: string }>`
    select organization_id as id from audit_entries where actor_user_id = ${id} and address <> ''
    union select organization_id from audit_entries where target_kind = 'user' and target_id = ${id}
    union select organization_id from audit_entries
      where personal ->> 'email' = any(${emails}::text[]) and at <= ${deletedAt}
    union select organization_id from audit_entries where chain = 1
    order by id`.execute(db)
  return rows.map((row) => trusted.organizationId(row.id))
}

/** @returns whether there was anything of them */
async function takeOut(tx: Tx, organization: OrganizationId, person: ErasedPerson): Promise<boolean> {
  const { id, emails, deletedAt } = person
  const { rows: addresses } = await sql`
    update audit_entries set address = '', address_salt = null
    where organization_id = ${organization} and actor_user_id = ${id} and address_salt is not null
    returning 1`.execute(tx)
  const { rows: said } = await sql`
    update audit_entries set personal = '{}', personal_salt = null
    where organization_id = ${organization} and personal_salt is not null
      and (target_kind = 'user' and target_id = ${id}
        or personal ->> 'email' = any(${emails}::text[]) and at <= ${deletedAt})
    returning 1`.execute(tx)
  return addresses.length + said.length > 0
}
