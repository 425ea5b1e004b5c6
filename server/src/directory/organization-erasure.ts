import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../platform/database/database.ts'
import { type IdentityOrganizationId, type OrganizationId, trusted, type UserId } from '../platform/ids.ts'
import { closeAccount } from './erasure.ts'
import { type OrganizationRef, recoverableSince } from './organizations.ts'

/** An organization that an operator wants to erase. */
export interface LeavingOrganization extends OrganizationRef {
  name: string
  /** Null: it is not deleted. */
  deletedAt: Date | null
  /** Whether it has moved, and that is not confirmed yet. */
  isMoving: boolean
}

/** Locked until the transaction ends; a deleted one too. */
export async function lockLeaving(
  tx: Tx,
  identityId: IdentityOrganizationId,
): Promise<LeavingOrganization | undefined> {
  const { rows } = await sql<{ id: string; name: string; deletedAt: Date | null; isMoving: boolean }>`
    select o.id, o.name, o.deleted_at as "deletedAt", exists (select from organization_moves v
      where v.organization_id = o.id and v.confirmed_at is null) as "isMoving"
    from organizations o where o.identity_organization_id = ${identityId} for update of o`.execute(tx)
  const [row] = rows
  return row && { ...row, id: trusted.organizationId(row.id), identityId }
}

/** From now on nothing brings it back: what is half erased is never shown. */
export async function endRecovery(tx: Tx, id: OrganizationId, now: Date): Promise<void> {
  await sql`
    update organizations set deleted_at = least(deleted_at, ${recoverableSince(now)}::timestamptz)
    where id = ${id}`.execute(tx)
}

/**
 * Closes the accounts that an organization has made for itself, which no sign-in leads to: its bots, and people of
 * an import who have none of their own here. Accounts of people stay.
 * @param named ids of all users that its rows name
 */
export async function closeOwnAccounts(
  tx: Tx,
  organization: OrganizationId,
  named: RawBuilder<unknown>,
  now: Date,
): Promise<UserId[]> {
  // all that it has is read for it
  await sql`set local statement_timeout = 0`.execute(tx)
  const { rows } = await sql<{ id: string }>`
    select u.id from users u
    where (u.is_bot or u.email like '%@former.invalid' or u.email like '%@imported.invalid')
      and u.deleted_at is null and u.id in (${named})
      and not exists (select from memberships m where m.user_id = u.id and m.organization_id <> ${organization})
    order by u.id`.execute(tx)
  const ids = rows.map(({ id }) => trusted.userId(id))
  for (const id of ids) await closeAccount(tx, id, now)
  return ids
}

/** No sign-in leads back to it. */
export async function forgetLastOrganization(db: Db, id: OrganizationId): Promise<void> {
  await sql`update users set last_organization_id = null where last_organization_id = ${id}`.execute(db)
}

/** The organization itself, the last row of it. */
export async function deleteOrganizationRow(tx: Tx, id: OrganizationId): Promise<void> {
  // every table that can refer to it is asked, some of them without an index
  await sql`set local statement_timeout = 0`.execute(tx)
  await tx.deleteFrom('organizations').where('id', '=', id).execute()
}
