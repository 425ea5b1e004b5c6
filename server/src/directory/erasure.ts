import { sql } from 'kysely'
import type { Db, Tx } from '../platform/database/database.ts'
import {
  type Answered,
  type IdentityUserId,
  newIdentityId,
  type OrganizationId,
  trusted,
  type UserId,
} from '../platform/ids.ts'

/** A person who has deleted their account, with their ids and names in tables that do not refer to it. */
export interface ErasedPerson {
  id: UserId
  identityId: IdentityUserId
  /** The addresses that the account has had, but for those that other accounts have by now. */
  emails: readonly string[]
  /** What they were called. */
  names: readonly string[]
  /** The address is free from then on: what came under it later belongs to its next owner. */
  deletedAt: Date
}

/**
 * Takes away what one owner of tables, files or mails keeps of a person. Each part of the office lists those of what it
 * owns; `docs/security/data-map.md` says which column has which owner.
 */
export interface Eraser {
  name: string
  /** Repeatable: it is done once more where it, or another one, has failed. */
  erase(person: ErasedPerson): Promise<void>
}

/** In the place of a name that is erased. */
export const NOBODY_NAME = 'Deleted person'

/** An organization of a person, with a membership of any status, and its other members, bots apart. */
export interface Place {
  organizationId: OrganizationId
  organizationName: string
  role: string
  isDeleted: boolean
  others: number
  otherAdmins: number
}

/** All organizations of a person, oldest first: deleted organizations too. */
export async function listPlaces(db: Db, user: UserId): Promise<Place[]> {
  const { rows } = await sql<Answered<Place>>`
    select m.organization_id as "organizationId", o.name as "organizationName", m.role,
      o.deleted_at is not null as "isDeleted",
      (select count(*)::int from memberships x join users u on u.id = x.user_id and not u.is_bot
        where x.organization_id = m.organization_id and x.user_id <> m.user_id) as others,
      (select count(*)::int from memberships x where x.organization_id = m.organization_id
        and x.user_id <> m.user_id and x.role = 'admin' and x.status = 'active') as "otherAdmins"
    from memberships m join organizations o on o.id = m.organization_id
    where m.user_id = ${user} order by m.organization_id`.execute(db)
  return rows.map((row) => ({ ...row, organizationId: trusted.organizationId(row.organizationId) }))
}

/** Locks a person's memberships until the transaction ends. */
export async function lockMembershipsOf(tx: Tx, user: UserId): Promise<void> {
  await sql`select 1 from memberships where user_id = ${user} order by organization_id for update`.execute(tx)
}

/**
 * Leaves of an account nothing but its id, to which others refer: it admits no sign-in, and its address is free.
 * That of a bot is none: it stays.
 * @returns who it was; undefined where that was done before
 */
export async function closeAccount(tx: Tx, id: UserId, now: Date): Promise<ErasedPerson | undefined> {
  const { rows } = await sql<{ identityId: string; emails: string[]; names: string[] }>`
    with before as (
      select id, identity_user_id, email, former_emails, first_name, last_name, display_name
      from users where id = ${id} and deleted_at is null for update)
    update users u set email = case when u.is_bot then u.email else 'deleted-' || u.id || '@deleted.invalid' end, former_emails = '{}', email_verified_at = null,
      display_name = ${NOBODY_NAME}, first_name = '', last_name = '', avatar_key = null, last_organization_id = null, language = null,
      calendar_status = false, time_zone = null, image_tries_spent = 0, image_tries_began_at = null, deleted_at = ${now}, updated_at = ${now}
    from before b where u.id = b.id
    returning b.identity_user_id as "identityId", array_append(array(select former
        from unnest(b.former_emails) as former where not exists (select from users x where x.email = former)), b.email) as emails,
      array_remove(array[b.display_name, trim(b.first_name || ' ' || b.last_name)], '') as names`.execute(tx)
  const [row] = rows
  if (!row) return undefined
  const { emails, names } = row
  return {
    id,
    identityId: trusted.identityUserId(row.identityId),
    emails,
    names: [...new Set(names)],
    deletedAt: now,
  }
}

/** What the directory keeps beyond the account itself; the account is known by another name from then on. */
export async function eraseFromDirectory(
  db: Db,
  { id, emails, deletedAt }: ErasedPerson,
  now: Date,
): Promise<void> {
  await sql`
    update imported_accounts set email = null
    where email = any(${emails}::text[]) and imported_at <= ${deletedAt}`.execute(db)
  await sql`delete from membership_departures where user_id = ${id}`.execute(db)
  await sql`
    update users set identity_user_id = ${newIdentityId('user', now)}
    where id = ${id} and deleted_at is not null`.execute(db)
}
