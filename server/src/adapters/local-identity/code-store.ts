import { type Generated, type GeneratedAlways, sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/database.ts'

declare module '../../platform/database/database.ts' {
  interface Tables {
    email_codes: {
      id: GeneratedAlways<string>
      email: string
      code_hash: Buffer
      attempts: number
      attempts_elsewhere: Generated<number>
      browser_hash: Buffer | null
      created_at: Date
      expires_at: Date
      ended_at: Date | null
    }
  }
}

/** Puts a new code in place of the one that a browser had asked for an address. Such calls wait for each other. */
export async function replaceCode(
  tx: Tx,
  code: { email: string; browserHash: Buffer; hash: Buffer; expiresAt: Date },
  now: Date,
): Promise<void> {
  const { email, browserHash } = code
  const lock = `email_codes ${email} ${browserHash.toString('hex')}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(tx)
  await tx
    .updateTable('email_codes')
    .set({ ended_at: now })
    .where('email', '=', email)
    .where('browser_hash', '=', browserHash)
    .where('ended_at', 'is', null)
    .execute()
  await tx
    .insertInto('email_codes')
    .values({
      email,
      browser_hash: browserHash,
      code_hash: code.hash,
      attempts: 0,
      created_at: now,
      expires_at: code.expiresAt,
      ended_at: null,
    })
    .execute()
}

/**
 * Compares with the live code that the browser has asked for, else with the newest one of the address where that is
 * live. A wrong one spends a try: one statement, so that tries cannot be doubled by calls at once. Tries from elsewhere
 * are counted apart: a stranger who knows an address ends no code for the browser of its owner.
 * @param attempt.hashes of the code, one for each key: which of them made the stored one is not known
 * @returns of a right one, its id and the browser that asked for it
 */
export async function tryCode(
  db: Db,
  attempt: { email: string; browserHash: Buffer | null; hashes: readonly Buffer[]; triesMax: number },
  now: Date,
): Promise<{ id: string; askedBy: Buffer | null } | undefined> {
  const { email, browserHash, hashes, triesMax } = attempt
  const { rows } = await sql<{ id: string; right: boolean; browser_hash: Buffer | null }>`
    with newest as (
      select id, live and coalesce(browser_hash = ${browserHash}, false) as own,
        code_hash in (${sql.join(hashes)}) as "right"
      from (select *, ended_at is null and expires_at > ${now} as live from email_codes where email = ${email}) codes
      order by own desc, id desc limit 1)
    update email_codes c
    set attempts = attempts + (own and not "right")::int,
      attempts_elsewhere = attempts_elsewhere + (not own and not "right")::int
    from newest
    where c.id = newest.id and ended_at is null and expires_at > ${now}
      and case when own then attempts else attempts_elsewhere end < ${triesMax}
    returning c.id, "right", browser_hash`.execute(db)
  const [tried] = rows
  return tried?.right ? { id: tried.id, askedBy: tried.browser_hash } : undefined
}

/** Uses a code up that was right. Of several calls at once one is answered true. */
export async function spendCode(tx: Tx, id: string, now: Date): Promise<boolean> {
  const { rows } = await sql`
    update email_codes set ended_at = ${now} where id = ${id} and ended_at is null returning id`.execute(tx)
  return rows.length === 1
}

/** Removes the codes that some addresses were sent until a moment, whether they work or not. */
export async function deleteCodesOf(db: Db, emails: readonly string[], until: Date): Promise<void> {
  await sql`delete from email_codes where email = any(${emails}::text[]) and created_at <= ${until}`.execute(
    db,
  )
}

/** Removes what expired before a moment. */
export async function purgeCodes(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('email_codes').where('expires_at', '<', before).execute()
}
