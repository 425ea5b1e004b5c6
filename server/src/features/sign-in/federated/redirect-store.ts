import type { WayIn } from '@atrium/contract'
import { type GeneratedAlways, sql } from 'kysely'
import type { Db } from '../../../platform/database/database.ts'
import { type IdentityUserId, type OrganizationId, trusted, type UserId } from '../../../platform/ids.ts'

declare module '../../../platform/database/database.ts' {
  interface Tables {
    redirect_sign_ins: {
      id: GeneratedAlways<string>
      way: WayName
      organization_id: string | null
      state_hash: Buffer
      browser_hash: Buffer
      sealed_secrets: Buffer
      created_at: Date
      expires_at: Date
      returned_at: Date | null
      code_hash: Buffer | null
      code_expires_at: Date | null
      sealed_identity: Buffer | null
      spent_at: Date | null
      return_path: string | null
    }
    linked_identities: {
      issuer: string
      subject: string
      user_id: string
      created_at: Date
    }
  }
}

export type WayName = Exclude<WayIn, 'code'>

/** A sign-in at an issuer that was begun here. */
export interface RedirectSignIn {
  id: string
  way: WayName
  /** Of the single sign-on. */
  organization: OrganizationId | null
}

export interface NewRedirectSignIn {
  way: WayName
  organization: OrganizationId | null
  stateHash: Buffer
  browserHash: Buffer
  /** Where the browser has to come back to, after BASE_URL. */
  returnPath: string
  sealedSecrets: Buffer
  expiresAt: Date
}

export async function insertRedirectSignIn(db: Db, started: NewRedirectSignIn, now: Date): Promise<void> {
  await db
    .insertInto('redirect_sign_ins')
    .values({
      way: started.way,
      organization_id: started.organization,
      state_hash: started.stateHash,
      browser_hash: started.browserHash,
      sealed_secrets: started.sealedSecrets,
      created_at: now,
      expires_at: started.expiresAt,
      returned_at: null,
      code_hash: null,
      code_expires_at: null,
      sealed_identity: null,
      spent_at: null,
      return_path: started.returnPath,
    })
    .execute()
}

/**
 * A sign-in that the browser which began it brings back to where it was to come back, for the first time. Of several
 * at once one gets it.
 */
export async function takeReturned(
  db: Db,
  returned: { returnPath: string; stateHash: Buffer; browserHash: Buffer },
  now: Date,
): Promise<(RedirectSignIn & { sealedSecrets: Buffer }) | undefined> {
  const { rows } = await sql<{
    id: string
    way: WayName
    organization_id: string | null
    sealed_secrets: Buffer
  }>`
    update redirect_sign_ins set returned_at = ${now}
    where state_hash = ${returned.stateHash} and browser_hash = ${returned.browserHash}
      and coalesce(return_path, '/auth/callback/' || way) = ${returned.returnPath}
      and returned_at is null and expires_at > ${now}
    returning id, way, organization_id, sealed_secrets`.execute(db)
  const [row] = rows
  return row && { ...toRedirectSignIn(row), sealedSecrets: row.sealed_secrets }
}

/** Keeps who it is under a code of ours, for the browser to fetch its session with. */
export async function keepIdentity(
  db: Db,
  id: string,
  kept: { codeHash: Buffer; codeExpiresAt: Date; sealedIdentity: Buffer },
): Promise<void> {
  await db
    .updateTable('redirect_sign_ins')
    .set({
      code_hash: kept.codeHash,
      code_expires_at: kept.codeExpiresAt,
      sealed_identity: kept.sealedIdentity,
    })
    .where('id', '=', id)
    .execute()
}

/** Spends a code in the browser that began. In another one it is worth nothing, and is not spent. */
export async function spendCode(
  db: Db,
  code: { codeHash: Buffer; browserHash: Buffer },
  now: Date,
): Promise<(RedirectSignIn & { sealedIdentity: Buffer }) | undefined> {
  const { rows } = await sql<{
    id: string
    way: WayName
    organization_id: string | null
    sealed_identity: Buffer
  }>`
    update redirect_sign_ins set spent_at = ${now}
    where code_hash = ${code.codeHash} and browser_hash = ${code.browserHash}
      and spent_at is null and code_expires_at > ${now}
    returning id, way, organization_id, sealed_identity`.execute(db)
  const [row] = rows
  return row && { ...toRedirectSignIn(row), sealedIdentity: row.sealed_identity }
}

/** Removes what was begun long ago. */
export async function purgeRedirectSignIns(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('redirect_sign_ins').where('expires_at', '<', before).execute()
}

/** The user of a name at an issuer. */
export async function findLinkedUser(
  db: Db,
  identity: { issuer: string; subject: string },
): Promise<UserId | undefined> {
  const row = await db
    .selectFrom('linked_identities')
    .select('user_id')
    .where('issuer', '=', identity.issuer)
    .where('subject', '=', identity.subject)
    .executeTakeFirst()
  return row && trusted.userId(row.user_id)
}

/** Whether a user is known by a name at an issuer. */
export async function hasIdentityAt(db: Db, issuer: string, user: UserId): Promise<boolean> {
  const row = await db
    .selectFrom('linked_identities')
    .select('subject')
    .where('user_id', '=', user)
    .where('issuer', '=', issuer)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Gives a name at an issuer to a user for good. @returns its user: of several at once the first */
export async function linkIdentity(
  db: Db,
  identity: { issuer: string; subject: string },
  user: UserId,
  now: Date,
): Promise<UserId> {
  const { issuer, subject } = identity
  await db
    .insertInto('linked_identities')
    .values({ issuer, subject, user_id: user, created_at: now })
    .onConflict((conflict) => conflict.columns(['issuer', 'subject']).doNothing())
    .execute()
  const owner = await findLinkedUser(db, identity)
  if (owner === undefined) throw new Error('a linked identity is gone as soon as it was linked')
  return owner
}

/** Unlinks a user's accounts elsewhere, but for the one under which the identity provider itself knows them. */
export async function unlinkIdentities(
  db: Db,
  user: { id: UserId; identityId: IdentityUserId },
): Promise<void> {
  await db
    .deleteFrom('linked_identities')
    .where('user_id', '=', user.id)
    .where('subject', '<>', user.identityId)
    .execute()
}

function toRedirectSignIn(row: { id: string; way: WayName; organization_id: string | null }): RedirectSignIn {
  const organization = row.organization_id === null ? null : trusted.organizationId(row.organization_id)
  return { id: row.id, way: row.way, organization }
}
