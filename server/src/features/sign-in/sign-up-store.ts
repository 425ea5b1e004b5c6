import { type Generated, type GeneratedAlways, sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/database.ts'
import { type KeyRing, open, seal } from '../../platform/sealed-column.ts'

declare module '../../platform/database/database.ts' {
  interface Tables {
    pilot_tokens: {
      id: GeneratedAlways<string>
      token_hash: Buffer
      note: Generated<string>
      created_at: Date
      expires_at: Date
      reserved_for: string | null
      reserved_until: Date | null
      spent_at: Date | null
    }
    pending_sign_ups: {
      email: string
      kind: SignUpKind
      sealed_token: Buffer
      created_at: Date
      expires_at: Date
    }
  }
}

export type SignUpKind = 'member' | 'pilot'

/** What waits for the code of an address. */
export interface PendingSignUp {
  kind: SignUpKind
  token: string
}

/** Keeps what the next code of an address is for, in the place of what it was for before. */
export async function keepPendingSignUp(
  db: Db,
  ring: KeyRing,
  pending: PendingSignUp & { email: string; expiresAt: Date },
  now: Date,
): Promise<void> {
  const row = {
    kind: pending.kind,
    sealed_token: seal(ring, pending.token, ['pending_sign_ups.sealed_token', pending.email]),
    created_at: now,
    expires_at: pending.expiresAt,
  }
  await db
    .insertInto('pending_sign_ups')
    .values({ email: pending.email, ...row })
    .onConflict((conflict) => conflict.column('email').doUpdateSet(row))
    .execute()
}

export async function findPendingSignUp(
  db: Db,
  ring: KeyRing,
  email: string,
  now: Date,
): Promise<PendingSignUp | undefined> {
  const row = await db
    .selectFrom('pending_sign_ups')
    .select(['kind', 'sealed_token'])
    .where('email', '=', email)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  if (!row) return undefined
  const token = open(ring, row.sealed_token, ['pending_sign_ups.sealed_token', email]).toString()
  return { kind: row.kind, token }
}

/** Of several calls at once one is answered true. */
export async function dropPendingSignUp(db: Db, email: string): Promise<boolean> {
  const dropped = await db
    .deleteFrom('pending_sign_ups')
    .where('email', '=', email)
    .returning('email')
    .execute()
  return dropped.length === 1
}

/** Removes what expired before a moment. */
export async function purgePendingSignUps(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('pending_sign_ups').where('expires_at', '<', before).execute()
}

export async function insertPilotToken(
  db: Db,
  pilot: { tokenHash: Buffer; note: string; expiresAt: Date },
  now: Date,
): Promise<void> {
  await db
    .insertInto('pilot_tokens')
    .values({ token_hash: pilot.tokenHash, note: pilot.note, created_at: now, expires_at: pilot.expiresAt })
    .execute()
}

/**
 * Keeps a pilot token for one address for a while. One statement: of two addresses at once one gets it.
 * @returns false where it is unknown, expired, spent, or kept for somebody else
 */
export async function reservePilotToken(
  db: Db,
  use: { tokenHash: Buffer; email: string; until: Date },
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    update pilot_tokens set reserved_for = ${use.email}, reserved_until = ${use.until}
    where token_hash = ${use.tokenHash} and spent_at is null and expires_at > ${now}
      and (reserved_for is null or reserved_for = ${use.email} or reserved_until <= ${now})
    returning id`.execute(db)
  return rows.length === 1
}

/** Uses a pilot token up, for the address it is kept for. */
export async function spendPilotToken(tx: Tx, tokenHash: Buffer, email: string, now: Date): Promise<boolean> {
  const { rows } = await sql`
    update pilot_tokens set spent_at = ${now}
    where token_hash = ${tokenHash} and spent_at is null and reserved_for = ${email}
    returning id`.execute(tx)
  return rows.length === 1
}
