import { type Generated, type GeneratedAlways, sql } from 'kysely'
import type { Db, Tx } from '../../../platform/database/database.ts'

declare module '../../../platform/database/database.ts' {
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
    /** Of an earlier release: see code-requests.ts. */
    pending_sign_ups: {
      email: string
      kind: string
      sealed_token: Buffer
      created_at: Date
      expires_at: Date
    }
  }
}

/** Removes what expired before a moment, as long as an earlier release may write it. */
export async function purgePendingSignUps(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('pending_sign_ups').where('expires_at', '<', before).execute()
}

/** What an earlier release has begun for an address is void. */
export async function dropPendingSignUps(db: Db, email: string): Promise<void> {
  await db.deleteFrom('pending_sign_ups').where('email', '=', email).execute()
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
