import type { Role } from '@atrium/contract'
import { sql } from 'kysely'
import type { Db, Tx } from '../platform/database/database.ts'
import { type Answered, newIdentityId, type OrganizationId, trusted, type UserId } from '../platform/ids.ts'
import type { ArchivedRow } from './archive-chapter.ts'
import { closeAccount } from './erasure.ts'
import { addressOfBot } from './users.ts'

declare module '../platform/database/database.ts' {
  interface Tables {
    /** People of an imported organization, where their address had an account here already. */
    imported_accounts: {
      user_id: string
      organization_id: string
      /** Null once its owner has come. */
      email: string | null
      imported_at: Date
      joined_as: string | null
      joined_at: Date | null
    }
  }
}

/** A person of an archive with the address of an account that was here before. */
export interface Waiting {
  user: string
  email: string
}

/**
 * People of an archive, next to those who are here: nothing of an account that is here is changed, or shown to the
 * organization. A person with the address of one is an account apart until its owner has signed in here; an id of the identity provider
 * that is taken is replaced.
 */
export async function settleNames(
  db: Db,
  rows: readonly ArchivedRow[],
  now: Date,
): Promise<{ rows: ArchivedRow[]; waiting: Waiting[] }> {
  const textsOf = (column: string) =>
    rows.map((row) => row[column]).filter((text) => typeof text === 'string')
  const { rows: found } = await sql<{ email: string; identity: string }>`
    select email, identity_user_id as identity from users
    where email = any(${textsOf('email')}::text[]) or identity_user_id = any(${textsOf('identity_user_id')}::text[])`.execute(
    db,
  )
  const emails = new Set<unknown>(found.map(({ email }) => email))
  const identities = new Set<unknown>(found.map(({ identity }) => identity))
  const waiting: Waiting[] = []
  const settled = rows.map((row): ArchivedRow => {
    const identity = identities.has(row.identity_user_id)
      ? newIdentityId('user', now)
      : String(row.identity_user_id)
    const named = { ...row, identity_user_id: identity }
    if (row.is_bot) return row.email === null ? named : { ...named, email: addressOfBot(identity) }
    if (!emails.has(row.email)) return named
    waiting.push({ user: String(row.id), email: String(row.email) })
    return { ...named, email: `waiting-${row.id}@imported.invalid`, email_verified_at: null }
  })
  return { rows: settled, waiting }
}

export async function keepWaiting(
  tx: Tx,
  organization: OrganizationId,
  waiting: readonly Waiting[],
  now: Date,
): Promise<void> {
  await sql`
    insert into imported_accounts (user_id, organization_id, email, imported_at)
    select u.id, ${organization}, u.email, ${now}
    from unnest(${waiting.map(({ user }) => user)}::bigint[], ${waiting.map(({ email }) => email)}::text[]) as u (id, email)`.execute(
    tx,
  )
}

/** What waits for the owner of an address, in an organization that they have never been in. */
export interface WaitingAccount {
  account: UserId
  organization: OrganizationId
  role: Role
}

/** Locked until the transaction ends. @param email proven by its owner @param only one organization, or all of them */
export async function lockWaitingAccounts(
  tx: Tx,
  { id, email }: { id: UserId; email: string },
  only: OrganizationId | null,
): Promise<WaitingAccount[]> {
  const { rows } = await sql<Answered<WaitingAccount>>`
    select i.user_id as account, i.organization_id as organization, m.role
    from imported_accounts i join memberships m on m.organization_id = i.organization_id and m.user_id = i.user_id
    where i.email = ${email} and i.joined_as is null and i.organization_id = coalesce(${only}, i.organization_id)
      and not exists (select from memberships own where own.organization_id = i.organization_id and own.user_id = ${id})
      and not exists (select from membership_departures gone
        where gone.organization_id = i.organization_id and gone.user_id = ${id})
    order by i.organization_id for update of i`.execute(tx)
  return rows.map((row) => ({
    account: trusted.userId(row.account),
    organization: trusted.organizationId(row.organization),
    role: row.role,
  }))
}

/**
 * Makes what an account apart has in its organization the account's of a person who has come: membership, and every row that
 * refers to it. The account apart is closed: entries of the audit trail go on to name it.
 */
export async function handOver(
  tx: Tx,
  { account, organization }: WaitingAccount,
  user: UserId,
  now: Date,
): Promise<void> {
  // its triggers are not to tell of rows that no person has changed
  await sql`select set_config('atrium.importing', 'on', true)`.execute(tx)
  await sql`
    update imported_accounts set joined_as = ${user}, joined_at = ${now}, email = null
    where user_id = ${account}`.execute(tx)
  await sql`select set_config('atrium.importing', '', true)`.execute(tx)
  await sql`
    insert into memberships (organization_id, user_id, role, status, created_at, updated_at)
    select organization_id, ${user}, role, status, created_at, ${now} from memberships
    where organization_id = ${organization} and user_id = ${account}`.execute(tx)
  await sql`delete from memberships where organization_id = ${organization} and user_id = ${account}`.execute(
    tx,
  )
  await closeAccount(tx, account, now)
}

/** The accounts apart that a person has taken over: trails name them. */
export async function listTakenOver(db: Db, user: UserId): Promise<UserId[]> {
  const rows = await db
    .selectFrom('imported_accounts')
    .select('user_id')
    .where('joined_as', '=', user)
    .execute()
  return rows.map((row) => trusted.userId(row.user_id))
}
