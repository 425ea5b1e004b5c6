import { type GeneratedAlways, sql } from 'kysely'
import type { SignInMethod } from '../../../access/caller.ts'
import type { Db } from '../../../platform/database/database.ts'
import { type OrganizationId, trusted, type UserId } from '../../../platform/ids.ts'

declare module '../../../platform/database/database.ts' {
  interface Tables {
    pending_sign_ins: {
      id: GeneratedAlways<string>
      token_hash: Buffer
      user_id: string
      method: SignInMethod
      organization_ids: string[]
      created_at: Date
      expires_at: Date
      spent_at: Date | null
      sealed_upstream: Buffer | null
    }
  }
}

/** A sign-in that waits for the choice of an organization. */
export interface PendingSignIn {
  id: string
  user: UserId
  method: SignInMethod
  organizations: OrganizationId[]
  /** What the identity provider keeps of it. */
  sealedUpstream: Buffer | null
}

export interface NewPendingSignIn {
  tokenHash: Buffer
  user: UserId
  method: SignInMethod
  organizations: OrganizationId[]
  sealedUpstream: Buffer | null
  expiresAt: Date
}

export async function insertPendingSignIn(db: Db, pending: NewPendingSignIn, now: Date): Promise<void> {
  await db
    .insertInto('pending_sign_ins')
    .values({
      token_hash: pending.tokenHash,
      user_id: pending.user,
      method: pending.method,
      organization_ids: pending.organizations,
      created_at: now,
      expires_at: pending.expiresAt,
      spent_at: null,
      sealed_upstream: pending.sealedUpstream,
    })
    .execute()
}

/** The sign-in that a token stands for; undefined where it is unknown, expired or spent. */
export async function findPendingSignIn(
  db: Db,
  tokenHash: Buffer,
  now: Date,
): Promise<PendingSignIn | undefined> {
  const row = await db
    .selectFrom('pending_sign_ins')
    .select(['id', 'user_id', 'method', 'organization_ids', 'sealed_upstream'])
    .where('token_hash', '=', tokenHash)
    .where('spent_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  if (!row) return undefined
  return {
    id: row.id,
    user: trusted.userId(row.user_id),
    method: row.method,
    organizations: row.organization_ids.map(trusted.organizationId),
    sealedUpstream: row.sealed_upstream,
  }
}

/** Spends it. Of several calls at once one is answered true. */
export async function spendPendingSignIn(db: Db, id: string, now: Date): Promise<boolean> {
  const { rows } = await sql`
    update pending_sign_ins set spent_at = ${now} where id = ${id} and spent_at is null returning id`.execute(
    db,
  )
  return rows.length === 1
}

/** Voids the sign-ins of a user that wait. */
export async function dropPendingSignIns(db: Db, user: UserId): Promise<void> {
  await db.deleteFrom('pending_sign_ins').where('user_id', '=', user).execute()
}

/** Removes what expired before a moment. */
export async function purgePendingSignIns(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('pending_sign_ins').where('expires_at', '<', before).execute()
}
