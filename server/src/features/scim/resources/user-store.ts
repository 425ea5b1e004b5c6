import type { Role } from '@atrium/contract'
import { type Generated, type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../../platform/database/database.ts'
import { type IdentityUserId, type OrganizationId, trusted, type UserId } from '../../../platform/ids.ts'

declare module '../../../platform/database/database.ts' {
  interface Tables {
    scim_users: {
      organization_id: string
      user_id: string
      user_name: string
      external_id: string | null
      given_name: string | null
      family_name: string | null
      display_name: string | null
      email_type: string | null
      email_primary: boolean | null
      email: string | null
      had_external_id: Generated<boolean>
      role_by_hand: Role | null
      /** The directory has deleted them: to it they are not there. */
      deleted_at: Date | null
      created_at: Date
      updated_at: Date
    }
  }
}

/** What a directory has said of a user. */
export interface DirectoryView {
  userName: string
  externalId: string | null
  givenName: string | null
  familyName: string | null
  displayName: string | null
  /** What their address is for, as the directory says. */
  emailType: string
  emailPrimary: boolean
  /** The directory has said an address of theirs. Where it never has, their name is it. */
  emailSaid: boolean
}

/** A user whom the directory of an organization sees: a member, or one whom it has made and that is none. */
export interface DirectoryPerson extends DirectoryView {
  id: UserId
  identityId: IdentityUserId
  /** Of the account. */
  email: string
  /** As the directory says it, where the account keeps another one. It is told to the directory and decides nothing. */
  keptEmail: string | null
  /** The directory has vouched for them by an external id, now or before. */
  hadExternalId: boolean
  /** The directory has said something of them. */
  provisioned: boolean
  /** Null: no membership. */
  membership: { status: 'active' | 'pending' | 'inactive'; role: Role } | null
  createdAt: Date
  updatedAt: Date
}

/** Which of them. Texts are compared in any case, but for external ids; an address is the one that the directory sees. */
export type Selection =
  | { by: 'everybody' }
  | { by: 'id'; id: UserId }
  | { by: 'ids'; ids: readonly string[] }
  | { by: 'userName' | 'externalId' | 'email' | 'account address'; text: string }

interface PersonRow extends DirectoryView {
  id: string
  identityId: string
  email: string
  keptEmail: string | null
  hadExternalId: boolean
  provisioned: boolean
  status: 'active' | 'pending' | 'inactive' | null
  role: Role | null
  createdAt: Date
  updatedAt: Date
}

/** A directory may have given the address of a member of whom it has said nothing to another user as a name. */
const isNameTaken = sql`exists (select from scim_users n
  where n.organization_id = m.organization_id and lower(n.user_name) = u.email and n.deleted_at is null)`
const ownName = sql`case when ${isNameTaken} then u.email || '#' || u.id else u.email end`

/** The same name, for comparing. */
export function fallbackName({ id, email }: Pick<DirectoryPerson, 'id' | 'email'>): string {
  return `${email}#${id}`
}

/** A user who was never provisioned appears as their account says. */
const columns = sql`u.id, u.identity_user_id as "identityId", u.email, s.user_id is not null as provisioned,
  m.status, m.role, coalesce(s.user_name, ${ownName}) as "userName",
  s.external_id as "externalId", s.email as "keptEmail",
  coalesce(s.had_external_id or s.external_id is not null, false) as "hadExternalId", coalesce(s.email_type, 'work') as "emailType",
  s.email_type is not null as "emailSaid",
  coalesce(s.email_primary, true) as "emailPrimary",
  case when s.user_id is null then nullif(u.first_name, '') else s.given_name end as "givenName",
  case when s.user_id is null then nullif(u.last_name, '') else s.family_name end as "familyName",
  case when s.user_id is null then u.display_name else s.display_name end as "displayName",
  coalesce(s.created_at, m.created_at) as "createdAt", greatest(s.updated_at, m.updated_at) as "updatedAt"`

/**
 * @param after only greater ids: a page costs what is in it and behind it
 * @param deleted with those whom the directory has deleted
 */
function people(
  organization: OrganizationId,
  { after = '0', deleted = false }: Pick<Partial<Part>, 'after' | 'deleted'> = {},
): RawBuilder<unknown> {
  return sql`
    (select user_id from memberships where organization_id = ${organization} and user_id > ${after}
      union select user_id from scim_users where organization_id = ${organization} and user_id > ${after}
        and (deleted_at is null or ${deleted})) p
    join users u on u.id = p.user_id and not u.is_bot
    left join memberships m on m.organization_id = ${organization} and m.user_id = u.id
    left join scim_users s on s.organization_id = ${organization} and s.user_id = u.id
      and (s.deleted_at is null or ${deleted})`
}

function condition(selection: Selection): RawBuilder<unknown> {
  switch (selection.by) {
    case 'everybody':
      return sql`true`
    case 'id':
      return sql`u.id = ${selection.id}`
    case 'ids':
      return sql`u.id = any(${selection.ids}::bigint[])`
    case 'userName':
      return sql`(lower(s.user_name) = lower(${selection.text})
        or (s.user_id is null and u.email = lower(${selection.text}) and not ${isNameTaken}))`
    case 'externalId':
      return sql`s.external_id = ${selection.text}`
    case 'email':
      return sql`coalesce(s.email, u.email) = lower(${selection.text})`
    case 'account address':
      return sql`u.email = lower(${selection.text})`
  }
}

/** A part of a list that is in the order of ids: so many, after an id or after so many others. */
export interface Part {
  limit: number
  after?: string | undefined
  offset?: number
  /** With those whom the directory has deleted. */
  deleted?: boolean
}

/** The people of an organization, in the order of their ids. @param part of them; all where it is not given */
export async function listPeople(
  db: Db,
  organization: OrganizationId,
  selection: Selection,
  part: Partial<Part> = {},
): Promise<DirectoryPerson[]> {
  const { limit = null, offset = 0 } = part
  const { rows } = await sql<PersonRow>`
    select ${columns} from ${people(organization, part)} where ${condition(selection)}
    order by u.id limit ${limit} offset ${offset}`.execute(db)
  return rows.map(({ id, identityId, status, role, ...row }) => ({
    ...row,
    id: trusted.userId(id),
    identityId: trusted.identityUserId(identityId),
    membership: status === null || role === null ? null : { status, role },
  }))
}

/** The address of a user as the directory sees it. */
export function shownEmail({ keptEmail, email }: Pick<DirectoryPerson, 'keptEmail' | 'email'>): string {
  return keptEmail ?? email
}

export async function countPeople(db: Db, organization: OrganizationId): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    select count(*) from ${people(organization)}`.execute(db)
  return Number(rows[0]?.count)
}

/** Undefined where the directory of this organization sees no such person. */
export async function findPerson(
  db: Db,
  organization: OrganizationId,
  id: UserId,
  options: Pick<Part, 'deleted'> = {},
): Promise<DirectoryPerson | undefined> {
  const [found] = await listPeople(db, organization, { by: 'id', id }, options)
  return found
}

/** Which of these ids the directory of an organization sees. */
export async function knownPeople(
  db: Db,
  organization: OrganizationId,
  ids: readonly UserId[],
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select u.id from ${people(organization)} where u.id = any(${ids}::bigint[])`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/**
 * Writes down what the directory says of a user, of whom it may have said nothing so far.
 * @param view `keptEmail` where the account keeps another address than the one that is said
 */
export async function putView(
  tx: Tx,
  organization: OrganizationId,
  user: UserId,
  view: DirectoryView & { keptEmail: string | null },
  now: Date,
): Promise<void> {
  const said = {
    user_name: view.userName,
    external_id: view.externalId,
    given_name: view.givenName,
    family_name: view.familyName,
    display_name: view.displayName,
    // null: none was ever said
    email_type: view.emailSaid ? view.emailType : null,
    email_primary: view.emailPrimary,
    email: view.keptEmail,
    deleted_at: null,
    updated_at: now,
  }
  await tx
    .insertInto('scim_users')
    .values({ organization_id: organization, user_id: user, ...said, created_at: now })
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'user_id']).doUpdateSet({
        ...said,
        had_external_id: sql<boolean>`scim_users.had_external_id or scim_users.external_id is not null`,
      }),
    )
    .execute()
}

/** Members whom the directory has said nothing of yet are its people from now on, as their accounts say. */
export async function adoptPeople(
  tx: Tx,
  organization: OrganizationId,
  ids: readonly UserId[],
  now: Date,
): Promise<void> {
  await sql`
    insert into scim_users as known (organization_id, user_id, user_name, given_name, family_name, display_name, created_at,
      updated_at)
    select m.organization_id, u.id, ${ownName}, nullif(u.first_name, ''), nullif(u.last_name, ''), u.display_name, ${now},
      ${now}
    from memberships m join users u on u.id = m.user_id
    where m.organization_id = ${organization} and u.id = any(${ids}::bigint[])
    on conflict (organization_id, user_id) do update set user_name = excluded.user_name, given_name = excluded.given_name,
      family_name = excluded.family_name, display_name = excluded.display_name, deleted_at = null, updated_at = ${now}
      where known.deleted_at is not null`.execute(tx)
}

/** A user has changed in something that the directory reads, and has not said. */
export async function touchView(
  tx: Tx,
  organization: OrganizationId,
  user: UserId,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('scim_users')
    .set({ updated_at: now })
    .where('organization_id', '=', organization)
    .where('user_id', '=', user)
    .execute()
}

export async function renameView(
  tx: Tx,
  organization: OrganizationId,
  user: UserId,
  userName: string,
): Promise<void> {
  await tx
    .updateTable('scim_users')
    .set({ user_name: userName })
    .where('organization_id', '=', organization)
    .where('user_id', '=', user)
    .execute()
}

/** The directory has deleted a user: to it they are not there, and are in none of its groups. */
export async function retireView(
  tx: Tx,
  organization: OrganizationId,
  user: UserId,
  now: Date,
): Promise<void> {
  await sql`
    with left_groups as (
      delete from scim_group_members where organization_id = ${organization} and user_id = ${user})
    update scim_users set deleted_at = ${now}, role_by_hand = null,
      had_external_id = had_external_id or external_id is not null
    where organization_id = ${organization} and user_id = ${user}`.execute(tx)
}

/** An administrator has decided that a user whom the directory had deleted is the one who comes back. */
export async function reviveView(tx: Tx, organization: OrganizationId, user: UserId): Promise<void> {
  await tx
    .updateTable('scim_users')
    .set({ deleted_at: null })
    .where('organization_id', '=', organization)
    .where('user_id', '=', user)
    .execute()
}

export async function deleteView(tx: Tx, organization: OrganizationId, user: UserId): Promise<void> {
  await tx
    .deleteFrom('scim_users')
    .where('organization_id', '=', organization)
    .where('user_id', '=', user)
    .execute()
}

/**
 * Keeps the role that a user has without groups; null: no group gives them a higher one. Call it after the role itself
 * was changed, which forgets it (`forget_role_by_hand`).
 */
export async function keepRoleByHand(
  tx: Tx,
  organization: OrganizationId,
  user: UserId,
  role: Role | null,
): Promise<void> {
  await tx
    .updateTable('scim_users')
    .set({ role_by_hand: role })
    .where('organization_id', '=', organization)
    .where('user_id', '=', user)
    .execute()
}

/**
 * Whether a user is, or was for a directory, in any other organization than this one. Deleted ones do not count: they
 * have no one at work, and no admin who could do what this one may not. Lock the account first.
 */
export async function isElsewhere(db: Db, organization: OrganizationId, user: UserId): Promise<boolean> {
  const { rows } = await sql`
    select 1 from (
      select organization_id from memberships where user_id = ${user} and organization_id <> ${organization}
      union all select organization_id from scim_users
        where user_id = ${user} and organization_id <> ${organization} and deleted_at is null) p
    join organizations o on o.id = p.organization_id
    where o.deleted_at is null limit 1`.execute(db)
  return rows.length > 0
}
