import type { Db, Tx } from '../../../platform/database/database.ts'
import { type OrganizationId, trusted, type UserId } from '../../../platform/ids.ts'

declare module '../../../platform/database/database.ts' {
  interface Tables {
    recovery_links: {
      token_hash: Buffer
      organization_id: string
      user_id: string
      created_at: Date
      expires_at: Date
    }
  }
}

export interface RecoveryLink {
  organization: OrganizationId
  user: UserId
}

/** Keeps it in place of the one before: of several only the newest works. */
export async function keepRecoveryLink(
  tx: Tx,
  { organization, user }: RecoveryLink,
  link: { tokenHash: Buffer; expiresAt: Date },
  now: Date,
): Promise<void> {
  const row = { token_hash: link.tokenHash, created_at: now, expires_at: link.expiresAt }
  await tx
    .insertInto('recovery_links')
    .values({ organization_id: organization, user_id: user, ...row })
    .onConflict((conflict) => conflict.columns(['organization_id', 'user_id']).doUpdateSet(row))
    .execute()
}

/** The link of a token; undefined where it is unknown, used, or too old. */
export async function findRecoveryLink(
  db: Db,
  tokenHash: Buffer,
  now: Date,
): Promise<RecoveryLink | undefined> {
  const row = await db
    .selectFrom('recovery_links')
    .select(['organization_id', 'user_id'])
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  if (!row) return undefined
  return {
    organization: trusted.organizationId(row.organization_id),
    user: trusted.userId(row.user_id),
  }
}

/** Uses it up. Of many calls at once one is answered true. */
export async function useRecoveryLink(tx: Tx, tokenHash: Buffer): Promise<boolean> {
  const used = await tx
    .deleteFrom('recovery_links')
    .where('token_hash', '=', tokenHash)
    .returning('user_id')
    .execute()
  return used.length === 1
}

/** Voids the links that were made for a user. */
export async function dropRecoveryLinks(db: Db, user: UserId): Promise<void> {
  await db.deleteFrom('recovery_links').where('user_id', '=', user).execute()
}

/** Removes what expired before a moment. */
export async function purgeRecoveryLinks(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('recovery_links').where('expires_at', '<', before).execute()
}
