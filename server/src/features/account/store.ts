import { type Generated, sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/database.ts'
import type { UserId } from '../../platform/ids.ts'

declare module '../../platform/database/database.ts' {
  interface Tables {
    account_confirmations: {
      user_id: string
      purpose: ConfirmationPurpose
      email: string
      new_email: string | null
      code_hash: Buffer
      new_code_hash: Buffer | null
      attempts: Generated<number>
      created_at: Date
      expires_at: Date
    }
  }
}

export type ConfirmationPurpose = 'email-change' | 'deletion'

/** What waits for the codes that were mailed to a user. */
export interface Confirmation {
  user: UserId
  purpose: ConfirmationPurpose
  /** Of the account, when the codes were mailed. */
  email: string
  codeHash: Buffer
  /** Where another address is to be used. */
  renewed?: { email: string; codeHash: Buffer }
  expiresAt: Date
}

/** Keeps it in place of what waited before. */
export async function keepConfirmation(db: Db, confirmation: Confirmation, now: Date): Promise<void> {
  const { user, purpose, renewed } = confirmation
  const row = {
    email: confirmation.email,
    new_email: renewed?.email ?? null,
    code_hash: confirmation.codeHash,
    new_code_hash: renewed?.codeHash ?? null,
    attempts: 0,
    created_at: now,
    expires_at: confirmation.expiresAt,
  }
  await db
    .insertInto('account_confirmations')
    .values({ user_id: user, purpose, ...row })
    .onConflict((conflict) => conflict.columns(['user_id', 'purpose']).doUpdateSet(row))
    .execute()
}

export interface Attempt {
  user: UserId
  purpose: ConfirmationPurpose
  /** Of the code that was given, by each key that may have made the one there is. */
  codeHashes: readonly Buffer[]
  /** Undefined where the account keeps its address. */
  newCodeHashes: readonly Buffer[] | undefined
}

/**
 * Spends one try: one statement, so that calls at once cannot double them. Codes that are right are not used up by it.
 * @returns the addresses, where the codes are right
 */
export async function tryConfirmation(
  db: Db,
  attempt: Attempt,
  triesMax: number,
  now: Date,
): Promise<{ email: string; newEmail: string | null } | undefined> {
  const { rows } = await sql<{ right: boolean; email: string; newEmail: string | null }>`
    update account_confirmations set attempts = attempts + 1
    where user_id = ${attempt.user} and purpose = ${attempt.purpose} and expires_at > ${now}
      and attempts < ${triesMax}
    returning code_hash = any(${attempt.codeHashes}) and case when ${attempt.newCodeHashes === undefined}
        then new_code_hash is null else new_code_hash = any(${attempt.newCodeHashes ?? []}) end as right,
      email, new_email as "newEmail"`.execute(db)
  const [tried] = rows
  return tried?.right ? { email: tried.email, newEmail: tried.newEmail } : undefined
}

/** Uses right codes up. Of many calls at once one is answered true. */
export async function useConfirmation(tx: Tx, { user, purpose, codeHashes }: Attempt): Promise<boolean> {
  const used = await tx
    .deleteFrom('account_confirmations')
    .where('user_id', '=', user)
    .where('purpose', '=', purpose)
    .where('code_hash', 'in', codeHashes)
    .returning('user_id')
    .execute()
  return used.length === 1
}

/** Voids all that a user has asked for. */
export async function dropConfirmations(db: Db, user: UserId): Promise<void> {
  await db.deleteFrom('account_confirmations').where('user_id', '=', user).execute()
}

/** Removes what expired before a moment. */
export async function purgeConfirmations(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('account_confirmations').where('expires_at', '<', before).execute()
}
