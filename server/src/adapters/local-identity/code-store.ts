import { type GeneratedAlways, sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/database.ts'

declare module '../../platform/database/database.ts' {
  interface Tables {
    email_codes: {
      id: GeneratedAlways<string>
      email: string
      code_hash: Buffer
      attempts: number
      created_at: Date
      expires_at: Date
      ended_at: Date | null
    }
  }
}

/** Puts a new code in the place of whatever code the address had. Calls for one address wait for each other. */
export async function replaceCode(
  tx: Tx,
  code: { email: string; hash: Buffer; expiresAt: Date },
  now: Date,
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`email_codes ${code.email}`}, 0))`.execute(tx)
  await tx
    .updateTable('email_codes')
    .set({ ended_at: now })
    .where('email', '=', code.email)
    .where('ended_at', 'is', null)
    .execute()
  await tx
    .insertInto('email_codes')
    .values({
      email: code.email,
      code_hash: code.hash,
      attempts: 0,
      created_at: now,
      expires_at: code.expiresAt,
      ended_at: null,
    })
    .execute()
}

/**
 * Spends one try of the live code and, where it is right, the code itself: one statement, so that neither tries
 * nor uses can be doubled by calls at once.
 */
export async function tryCode(
  db: Db,
  attempt: { email: string; hash: Buffer; triesMax: number },
  now: Date,
): Promise<boolean> {
  const { rows } = await sql<{ right: boolean }>`
    update email_codes
    set attempts = attempts + 1, ended_at = case when code_hash = ${attempt.hash} then ${now}::timestamptz end
    where email = ${attempt.email} and ended_at is null and expires_at > ${now} and attempts < ${attempt.triesMax}
    returning ended_at is not null as right`.execute(db)
  return rows[0]?.right ?? false
}

/** Removes what expired before a moment. */
export async function purgeCodes(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('email_codes').where('expires_at', '<', before).execute()
}
