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
      /** Of an earlier release, which kept a token for the first address that named it. */
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

/** Whether a pilot token could be spent now. */
export async function isPilotTokenLive(db: Db, tokenHash: Buffer, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('pilot_tokens')
    .select('id')
    .where('token_hash', '=', tokenHash)
    .where('spent_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row !== undefined
}

/** Uses a pilot token up. Of several calls at once one is answered true. */
export async function spendPilotToken(tx: Tx, tokenHash: Buffer, now: Date): Promise<boolean> {
  const { rows } = await sql`
    update pilot_tokens set spent_at = ${now}
    where token_hash = ${tokenHash} and spent_at is null and expires_at > ${now}
    returning id`.execute(tx)
  return rows.length === 1
}
