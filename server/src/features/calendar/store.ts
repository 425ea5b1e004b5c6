import type { CalendarProvider } from '@atrium/contract'
import type { Generated } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import type { OrganizationId, UserId } from '../../platform/ids.ts'
import { hashToken } from '../../platform/secrets/secret.ts'

declare module '../../platform/database/database.ts' {
  interface Tables {
    calendar_connections: {
      user_id: string
      provider: CalendarProvider
      sealed_tokens: Buffer
      access_expires_at: Date | null
      /** From when on; in the future where it is known that the access cannot be renewed at its end. */
      reauth_required_at: Date | null
      refreshing_until: Date | null
      connected_at: Date
      updated_at: Date
    }
    calendar_switches: { organization_id: string; switched_off_at: Date }
    calendar_codes: {
      /** Null, as are the provider and the digest, where the release before wrote the row: its codes had no owner. */
      user_id: string | null
      provider: CalendarProvider | null
      code_digest: Buffer | null
      /** By which the release before finds codes. Written by a trigger. */
      code_hash: Generated<Buffer>
      spent_at: Date
    }
  }
}

/** The user and the provider of a connection. */
export interface ConnectionKey {
  user: UserId
  provider: CalendarProvider
}

export interface ConnectionRecord {
  /** Also the name of this state of the connection: no other one has the same bytes. */
  sealedTokens: Buffer
  accessExpiresAt: Date | null
  reauthRequired: boolean
}

export async function findConnection(
  db: Db,
  key: ConnectionKey,
  now: Date,
): Promise<ConnectionRecord | undefined> {
  const row = await db
    .selectFrom('calendar_connections')
    .select(['sealed_tokens', 'access_expires_at', 'reauth_required_at'])
    .where('user_id', '=', key.user)
    .where('provider', '=', key.provider)
    .executeTakeFirst()
  return (
    row && {
      sealedTokens: row.sealed_tokens,
      accessExpiresAt: row.access_expires_at,
      reauthRequired: row.reauth_required_at !== null && row.reauth_required_at <= now,
    }
  )
}

export interface FreshTokens {
  sealedTokens: Buffer
  accessExpiresAt: Date | null
  /** Whether a refresh token is among them. */
  renewable: boolean
}

/** Tokens that cannot be renewed are good until the access token ends, and no longer. */
function reauthRequiredFrom({ renewable, accessExpiresAt }: FreshTokens): Date | null {
  return renewable ? null : accessExpiresAt
}

/** Connects, in place of a former connection. Of two at once the later one stays. */
export async function saveConnection(
  db: Db,
  key: ConnectionKey,
  tokens: FreshTokens,
  now: Date,
): Promise<void> {
  const row = {
    sealed_tokens: tokens.sealedTokens,
    access_expires_at: tokens.accessExpiresAt,
    reauth_required_at: reauthRequiredFrom(tokens),
    refreshing_until: null,
    connected_at: now,
    updated_at: now,
  }
  await db
    .insertInto('calendar_connections')
    .values({ user_id: key.user, provider: key.provider, ...row })
    .onConflict((conflict) => conflict.columns(['user_id', 'provider']).doUpdateSet(row))
    .execute()
}

/** Takes the refreshing of one state of a connection for oneself; of many at once, on all nodes, one gets it. */
export async function claimRefresh(
  db: Db,
  key: ConnectionKey,
  seen: Buffer,
  lease: { now: Date; until: Date },
): Promise<boolean> {
  const row = await db
    .updateTable('calendar_connections')
    .set({ refreshing_until: lease.until })
    .where('user_id', '=', key.user)
    .where('provider', '=', key.provider)
    .where('sealed_tokens', '=', seen)
    .where((where) =>
      where.or([where('refreshing_until', 'is', null), where('refreshing_until', '<=', lease.now)]),
    )
    .returning('user_id')
    .executeTakeFirst()
  return row !== undefined
}

/** Lets others refresh again. */
export async function releaseRefresh(db: Db, key: ConnectionKey, seen: Buffer, until: Date): Promise<void> {
  await db
    .updateTable('calendar_connections')
    .set({ refreshing_until: null })
    .where('user_id', '=', key.user)
    .where('provider', '=', key.provider)
    .where('sealed_tokens', '=', seen)
    .where('refreshing_until', '=', until)
    .execute()
}

/** Puts fresh tokens in place of those that were seen. @returns false where they are not there any more */
export async function replaceTokens(
  db: Db,
  key: ConnectionKey,
  seen: Buffer,
  tokens: FreshTokens,
  now: Date,
): Promise<boolean> {
  const row = await db
    .updateTable('calendar_connections')
    .set({
      sealed_tokens: tokens.sealedTokens,
      access_expires_at: tokens.accessExpiresAt,
      reauth_required_at: reauthRequiredFrom(tokens),
      refreshing_until: null,
      updated_at: now,
    })
    .where('user_id', '=', key.user)
    .where('provider', '=', key.provider)
    .where('sealed_tokens', '=', seen)
    .returning('user_id')
    .executeTakeFirst()
  return row !== undefined
}

/** The tokens that were seen are of no use until the person consents again. Newer ones are not touched. */
export async function requireReauth(db: Db, key: ConnectionKey, seen: Buffer, now: Date): Promise<void> {
  await db
    .updateTable('calendar_connections')
    .set({ reauth_required_at: now, refreshing_until: null, updated_at: now })
    .where('user_id', '=', key.user)
    .where('provider', '=', key.provider)
    .where('sealed_tokens', '=', seen)
    .where((where) =>
      where.or([where('reauth_required_at', 'is', null), where('reauth_required_at', '>', now)]),
    )
    .execute()
}

/** Forgets a connection. @returns its tokens, where there was one */
export async function deleteConnection(db: Db, key: ConnectionKey): Promise<Buffer | undefined> {
  const row = await db
    .deleteFrom('calendar_connections')
    .where('user_id', '=', key.user)
    .where('provider', '=', key.provider)
    .returning('sealed_tokens')
    .executeTakeFirst()
  return row?.sealed_tokens
}

/** The same tokens under another seal. No change of the connection. */
export async function resealTokens(
  db: Db,
  key: ConnectionKey,
  seen: Buffer,
  sealedTokens: Buffer,
): Promise<boolean> {
  const row = await db
    .updateTable('calendar_connections')
    .set({ sealed_tokens: sealedTokens })
    .where('user_id', '=', key.user)
    .where('provider', '=', key.provider)
    .where('sealed_tokens', '=', seen)
    // a refresh holds on to the tokens that it has seen
    .where('refreshing_until', 'is', null)
    .returning('user_id')
    .executeTakeFirst()
  return row !== undefined
}

export async function isSwitchedOff(db: Db, organization: OrganizationId): Promise<boolean> {
  const row = await db
    .selectFrom('calendar_switches')
    .select('organization_id')
    .where('organization_id', '=', organization)
    .executeTakeFirst()
  return row !== undefined
}

/** Switches calendars off for an organization, or on again. */
export async function setSwitch(db: Db, organization: OrganizationId, on: boolean, now: Date): Promise<void> {
  if (on) {
    await db.deleteFrom('calendar_switches').where('organization_id', '=', organization).execute()
    return
  }
  await db
    .insertInto('calendar_switches')
    .values({ organization_id: organization, switched_off_at: now })
    .onConflict((conflict) => conflict.column('organization_id').doNothing())
    .execute()
}

/** Marks a code as handed in by a person. @returns false where it was before */
export async function spendCode(
  db: Db,
  { user, provider }: ConnectionKey,
  code: string,
  now: Date,
): Promise<boolean> {
  const row = await db
    .insertInto('calendar_codes')
    .values({ user_id: user, provider, code_digest: hashToken(code), spent_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst()
  return row !== undefined
}

/** The code was not taken after all: it may be handed in again. */
export async function returnCode(db: Db, { user, provider }: ConnectionKey, code: string): Promise<void> {
  await db
    .deleteFrom('calendar_codes')
    .where('user_id', '=', user)
    .where('provider', '=', provider)
    .where('code_digest', '=', hashToken(code))
    .execute()
}

/** What a person handed in so far is over: codes that come from now on are of another consent. */
export async function forgetCodes(db: Db, { user, provider }: ConnectionKey): Promise<void> {
  await db.deleteFrom('calendar_codes').where('user_id', '=', user).where('provider', '=', provider).execute()
}

/** Forgets codes that no provider would take any more. */
export async function purgeCodes(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('calendar_codes').where('spent_at', '<', before).execute()
}
