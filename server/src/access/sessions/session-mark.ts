import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import type { UserId } from '../../platform/ids.ts'

/**
 * What a session is called where others can read it: a token of a room says by it which session it was made from. Of
 * the hash of its token: it reveals neither the session nor how many there are.
 */
export const sessionMark = sql<string>`left(encode(sha256(token_hash), 'hex'), 32)`

/** Whether it is the mark of one of the person's sessions that works. */
export async function isMarkOfLiveSession(db: Db, user: UserId, of: string, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', user)
    .where('revoked_at', 'is', null)
    .where('idle_expires_at', '>', now)
    .where('absolute_expires_at', '>', now)
    .where(sessionMark, '=', of)
    .executeTakeFirst()
  return row !== undefined
}
