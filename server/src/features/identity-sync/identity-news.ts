import { sql } from 'kysely'
import { isEnqueued, withdraw } from '../../platform/background/work-items.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import type { OrganizationId, UserId } from '../../platform/ids.ts'
import { IDENTITY_QUEUE, membershipKey } from './identity-changes.ts'

declare module '../../platform/database/database.ts' {
  interface Tables {
    identity_news: { only_row: boolean; cursor: string | null; began_at: Date; reconciled_at: Date | null }
  }
}

/** How far the news of the identity provider have been followed. */
export interface NewsPosition {
  /** From where on they are read; null: from `since` on. */
  cursor: string | null
  since: Date
  /** When everything was last compared; null where it has to be: never yet, or news have been missed since. */
  reconciledAt: Date | null
}

/** From this moment on where none were ever read. */
export async function readNewsPosition(db: Db, now: Date): Promise<NewsPosition> {
  const { rows } = await sql<NewsPosition>`
    insert into identity_news (began_at) values (${now})
    on conflict (only_row) do update set began_at = identity_news.began_at
    returning cursor, began_at as since, reconciled_at as "reconciledAt"`.execute(db)
  return rows[0] as NewsPosition
}

export async function keepNewsCursor(db: Db, cursor: string): Promise<void> {
  await db.updateTable('identity_news').set({ cursor }).execute()
}

/**
 * From now on, because the cursor leads nowhere any more. What was missed of memberships and of new domains is found by
 * comparing; a domain or a session that ended there meanwhile is not.
 */
export async function loseNewsPosition(db: Db, now: Date): Promise<void> {
  await db.updateTable('identity_news').set({ cursor: null, began_at: now, reconciled_at: null }).execute()
}

/** Everything was compared, from a moment on. Where news were lost after that moment, it has to be done again. */
export async function keepReconciledAt(db: Db, began: Date): Promise<void> {
  await db.updateTable('identity_news').set({ reconciled_at: began }).where('began_at', '<=', began).execute()
}

/**
 * Whether the identity provider has still to be told of a membership: then ours is the newer word. Also where telling it
 * was given up.
 */
export async function hasPendingChange(db: Db, organization: OrganizationId, user: UserId): Promise<boolean> {
  return await isEnqueued(db, IDENTITY_QUEUE, membershipKey(organization, user))
}

/** Has the identity provider told again how a membership stands here. */
export async function tellAgain(tx: Tx, organization: OrganizationId, user: UserId): Promise<void> {
  await sql`select note_identity_change(${organization}, ${user})`.execute(tx)
}

/** What the identity provider has just said need not be told to it. */
export async function markTold(tx: Tx, organization: OrganizationId, user: UserId): Promise<void> {
  await withdraw(tx, IDENTITY_QUEUE, membershipKey(organization, user))
}
