import { type Generated, type GeneratedAlways, type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../platform/database/database.ts'
import { isUniqueViolation } from '../platform/database/database-errors.ts'
import { type IdentityUserId, type OrganizationId, trusted, type UserId } from '../platform/ids.ts'
import type { Addressee, MailLanguage } from '../platform/mail/mail-language.ts'
import { Refusal } from '../platform/refusal.ts'

export interface UsersTable {
  id: GeneratedAlways<string>
  identity_user_id: string
  email: string
  email_verified_at: Date | null
  first_name: Generated<string>
  last_name: Generated<string>
  display_name: string
  calendar_status: Generated<boolean>
  /** Of the clock that colleagues see beside the name; null: none is shown. */
  time_zone: string | null
  avatar_key: string | null
  image_tries_spent: Generated<number>
  image_tries_began_at: Date | null
  last_organization_id: string | null
  former_emails: Generated<string[]>
  /** A program: in the place of its address is what is none. */
  is_bot: Generated<boolean>
  /** Of mails that no request of theirs asks for; null: unknown. */
  language: Generated<MailLanguage | null>
  deleted_at: Date | null
  created_at: Date
  updated_at: Date
}

declare module '../platform/database/database.ts' {
  interface Tables {
    users: UsersTable
  }
}

/** A person, as every feature knows them. */
export interface UserRecord {
  id: UserId
  identityId: IdentityUserId
  email: string
  emailVerified: boolean
  firstName: string
  lastName: string
  displayName: string
  avatarKey: string | null
}

const columns = [
  'id',
  'identity_user_id',
  'email',
  'email_verified_at',
  'first_name',
  'last_name',
  'display_name',
  'avatar_key',
] as const

export async function findUserByEmail(db: Db, email: string): Promise<UserRecord | undefined> {
  const row = await db.selectFrom('users').select(columns).where('email', '=', email).executeTakeFirst()
  return row && toUser(row)
}

export async function findUserById(db: Db, id: UserId): Promise<UserRecord | undefined> {
  const row = await db.selectFrom('users').select(columns).where('id', '=', id).executeTakeFirst()
  return row && toUser(row)
}

export async function findUserByIdentityId(db: Db, id: IdentityUserId): Promise<UserRecord | undefined> {
  const row = await db
    .selectFrom('users')
    .select(columns)
    .where('identity_user_id', '=', id)
    .executeTakeFirst()
  return row && toUser(row)
}

/** Some people, by id. */
export async function listUsersById(db: Db, ids: readonly UserId[]): Promise<Map<UserId, UserRecord>> {
  const rows = await db
    .selectFrom('users')
    .select(columns)
    .where(({ eb, fn, val }) => eb('id', '=', fn.any(val([...ids]))))
    .execute()
  return new Map(rows.map((row) => [trusted.userId(row.id), toUser(row)]))
}

/** Remembers the language in which a person reads the office now. */
export async function rememberLanguage(tx: Tx, id: UserId, language: MailLanguage): Promise<void> {
  await tx
    .updateTable('users')
    .set({ language })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .where('language', 'is distinct from', language)
    .execute()
}

/** Where mails to these people go, and in which language. @param otherwise for people without a known language */
export async function listAddressees(
  db: Db,
  ids: readonly UserId[],
  otherwise: MailLanguage = 'en',
): Promise<Addressee[]> {
  const { rows } = await sql<Addressee>`
    select email as to, coalesce(language, ${otherwise}) as language from users
    where id = any(${ids}::bigint[]) and not is_bot order by id`.execute(db)
  return rows
}

/** What colleagues see of people, as SQL, for lists of hundreds: by `id`, with the address of their picture or `''`. */
export function namesOfUsers(imageBaseUrl: string): RawBuilder<unknown> {
  return sql`
    select id, identity_user_id, display_name, coalesce(${imageBaseUrl}::text || '/' || avatar_key, '') as avatar_url
    from users`
}

export interface NewUser {
  identityId: IdentityUserId
  email: string
  displayName: string
  emailVerified: boolean
  firstName?: string
  lastName?: string
}

/**
 * Makes the account of an address, or leaves the one there is. Answers nothing, and writes a row either way: that both
 * cases are alike to the caller holds for the time they take too.
 */
export async function ensureUser(db: Db, user: NewUser, now: Date): Promise<void> {
  try {
    await insertUser(db, user, now)
  } catch (error) {
    // an identity provider names both of two sign-ups at once alike: what the other one has made is found under its address
    if (!isUniqueViolation(error, 'users_identity_user_id_key')) throw error
    await insertUser(db, user, now)
  }
}

async function insertUser(db: Db, user: NewUser, now: Date): Promise<void> {
  await db
    .insertInto('users')
    .values({
      identity_user_id: user.identityId,
      email: user.email,
      email_verified_at: user.emailVerified ? now : null,
      display_name: user.displayName,
      first_name: user.firstName ?? '',
      last_name: user.lastName ?? '',
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.column('email').doUpdateSet({ email: user.email }))
    .execute()
}

/** What a bot has in the place of an address: none. */
export function addressOfBot(identityId: string): string {
  return `bot:${identityId}`
}

/** Makes a bot: an account that no sign-in and no mail can find. */
export async function insertBot(
  tx: Tx,
  { identityId, name }: { identityId: IdentityUserId; name: string },
  now: Date,
): Promise<UserId> {
  const { id } = await tx
    .insertInto('users')
    .values({
      identity_user_id: identityId,
      email: addressOfBot(identityId),
      email_verified_at: null,
      display_name: name,
      is_bot: true,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return trusted.userId(id)
}

/** The address has been proven to be theirs. The first proof stands. */
export async function markEmailVerified(db: Db, id: UserId, now: Date): Promise<void> {
  await db
    .updateTable('users')
    .set({ email_verified_at: now, updated_at: now })
    .where('id', '=', id)
    .where('email_verified_at', 'is', null)
    .execute()
}

/**
 * Gives an account another address. The former one is remembered: what is kept under it is found when the account is
 * erased. The caller forgets what rests on it: sessions, ways in.
 * @param isProven the owner has shown that the new one is theirs
 * @returns false where the account does not have the former address any more
 * @throws a unique violation of `users_email_key` where another account has the new one
 */
export async function changeAddress(
  db: Db,
  id: UserId,
  { from, to, isProven }: { from: string; to: string; isProven: boolean },
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    update users set email = ${to}, email_verified_at = ${isProven ? now : null}, updated_at = ${now},
      former_emails = array_append(array_remove(array_remove(former_emails, ${to}), ${from}), ${from})
    where id = ${id} and email = ${from} and deleted_at is null
    returning id`.execute(db)
  return rows.length === 1
}

/** @returns whether it is another name */
export async function renameUser(db: Db, id: UserId, displayName: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ display_name: displayName, updated_at: now })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .where('display_name', '!=', displayName)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The names of an account; those that are not given stay. */
export async function changeNames(
  db: Db,
  id: UserId,
  names: { displayName?: string; firstName?: string; lastName?: string },
  now: Date,
): Promise<void> {
  await db
    .updateTable('users')
    .set({
      ...(names.displayName === undefined ? {} : { display_name: names.displayName }),
      ...(names.firstName === undefined ? {} : { first_name: names.firstName }),
      ...(names.lastName === undefined ? {} : { last_name: names.lastName }),
      updated_at: now,
    })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .execute()
}

/**
 * Holds an account until the transaction ends: a transaction that locks it (`lockUser`), changes its address or closes
 * it waits, and then sees what was done. For what is not to outlive that: sessions, memberships.
 * @param email where given, the address that it still has to have
 * @returns false where it has another address by now, or is closed
 */
export async function holdUser(tx: Tx, id: UserId, email?: string): Promise<boolean> {
  const row = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .$if(email !== undefined, (query) => query.where('email', '=', email as string))
    .forKeyShare()
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Locks an account: until the transaction ends it comes into no organization, changes its address nowhere, and begins no
 * session.
 */
export async function lockUser(tx: Db, id: UserId): Promise<void> {
  await tx.selectFrom('users').select('id').where('id', '=', id).forUpdate().execute()
}

/** Whether meetings of their calendars show in their status. What follows is done by the trigger `follow_calendar`. */
export async function setCalendarStatus(db: Db, id: UserId, isOn: boolean, now: Date): Promise<void> {
  await db
    .updateTable('users')
    .set({ calendar_status: isOn, updated_at: now })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .where('calendar_status', '<>', isOn)
    .execute()
}

/** Shows colleagues the clock of a zone, or none. `tell_profile_updated` tells them. */
export async function setTimeZone(db: Db, id: UserId, zone: string | null, now: Date): Promise<void> {
  await db
    .updateTable('users')
    .set({ time_zone: zone, updated_at: now })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .where('time_zone', 'is distinct from', zone)
    .execute()
}

/**
 * Shows another avatar, or none.
 * @returns the key of the one before
 * @throws Refusal unauthenticated where the account was closed meanwhile
 */
export async function replaceAvatar(
  db: Db,
  id: UserId,
  key: string | null,
  now: Date,
): Promise<string | null> {
  const { rows } = await sql<{ before: string | null }>`
    with before as (select id, avatar_key from users where id = ${id} and deleted_at is null for no key update)
    update users u set avatar_key = ${key}, updated_at = ${now} from before b where u.id = b.id
    returning b.avatar_key as before`.execute(db)
  if (!rows[0]) throw Refusal.of('unauthenticated')
  return rows[0].before
}

/** Which of these avatars are shown by a profile. */
export async function shownAvatars(db: Db, keys: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select avatar_key as key from users where avatar_key = any(${keys}::text[])`.execute(db)
  return rows.map(({ key }) => key)
}

/** Avatars that people show, the newest first. */
export async function listAvatars(db: Db, limit: number): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select avatar_key as key from users where avatar_key is not null order by updated_at desc limit ${limit}`.execute(
    db,
  )
  return rows.map(({ key }) => key)
}

/** Remembers where a person worked last, for their next sign-in. No change of the profile: `updated_at` stays. */
export async function rememberOrganization(db: Db, id: UserId, organization: OrganizationId): Promise<void> {
  await db
    .updateTable('users')
    .set({ last_organization_id: organization })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .execute()
}

/** Where a person worked last; the membership may have ended since. */
export async function lastOrganizationOf(db: Db, id: UserId): Promise<OrganizationId | undefined> {
  const row = await db
    .selectFrom('users')
    .select('last_organization_id')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.last_organization_id ? trusted.organizationId(row.last_organization_id) : undefined
}

type UserColumns = Pick<UsersTable, Exclude<(typeof columns)[number], 'id' | 'first_name' | 'last_name'>> & {
  id: string
  first_name: string
  last_name: string
}

function toUser(row: UserColumns): UserRecord {
  return {
    id: trusted.userId(row.id),
    identityId: trusted.identityUserId(row.identity_user_id),
    email: row.email,
    emailVerified: row.email_verified_at !== null,
    firstName: row.first_name,
    lastName: row.last_name,
    displayName: row.display_name,
    avatarKey: row.avatar_key,
  }
}
