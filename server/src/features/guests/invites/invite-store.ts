import { type ColumnType, type Generated, type Selectable, sql } from 'kysely'
import type { Db, Tables, Tx } from '../../../platform/database/database.ts'
import { type OrganizationId, type RoomId, trusted, type UserId } from '../../../platform/ids.ts'

declare module '../../../platform/database/database.ts' {
  interface Tables {
    guest_invites: {
      /** `jti` of the link. */
      id: string
      organization_id: string
      room_id: string
      created_by: string
      created_at: Date
      expires_at: Date
      allow_all: boolean
      allowed_admins: ColumnType<string[], readonly string[], never>
      revoked_at: Generated<Date | null>
      sealed_with: Generated<string | null>
    }
  }
}

/** A link for guests, as stored. */
export interface GuestInvite {
  id: string
  organization: OrganizationId
  room: RoomId
  createdBy: UserId
  createdAt: Date
  expiresAt: Date
  allowAll: boolean
  /** Empty: no admin is named. */
  allowedAdmins: readonly UserId[]
}

/**
 * Keeps a new link. One that is there already stays as it is.
 * @param invite.sealedWith the id of the key, where it is known
 */
export async function insertInvite(db: Db, invite: GuestInvite & { sealedWith?: string }): Promise<void> {
  await db
    .insertInto('guest_invites')
    .values({
      id: invite.id,
      organization_id: invite.organization,
      room_id: invite.room,
      created_by: invite.createdBy,
      created_at: invite.createdAt,
      expires_at: invite.expiresAt,
      allow_all: invite.allowAll,
      allowed_admins: invite.allowedAdmins,
      sealed_with: invite.sealedWith ?? null,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

/** Whether a member has ended a link before its time. One that was never stored has not been ended. */
export async function isRevoked(db: Db, organization: OrganizationId, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('guest_invites')
    .select('revoked_at')
    .where('id', '=', id)
    .where('organization_id', '=', organization)
    .executeTakeFirst()
  return row !== undefined && row.revoked_at !== null
}

/**
 * Holds a link as it is until the transaction ends: its revocation waits, and then sees the guests who wait with it. A
 * link that is not stored yet is stored. @returns false where it has been revoked
 */
export async function holdInvite(tx: Tx, invite: GuestInvite): Promise<boolean> {
  const held = await revocationOf(tx, invite)
  if (held) return held.revoked_at === null
  await insertInvite(tx, invite)
  return (await revocationOf(tx, invite))?.revoked_at === null
}

function revocationOf(tx: Tx, { organization, id }: GuestInvite) {
  return tx
    .selectFrom('guest_invites')
    .select('revoked_at')
    .where('id', '=', id)
    .where('organization_id', '=', organization)
    .forShare()
    .executeTakeFirst()
}

/** Links of an organization that work, the newest first; `of` narrows them to one inviter's. */
export async function listInvites(
  db: Db,
  organization: OrganizationId,
  { of, now, limit }: { of: UserId | undefined; now: Date; limit: number },
): Promise<GuestInvite[]> {
  const working = db
    .selectFrom('guest_invites')
    .selectAll()
    .where('organization_id', '=', organization)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
  const rows = await (of === undefined ? working : working.where('created_by', '=', of))
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(inviteOf)
}

/** One link of an organization, whether it works or not, locked until the transaction ends. */
export async function lockInvite(
  tx: Tx,
  organization: OrganizationId,
  id: string,
): Promise<(GuestInvite & { revoked: boolean }) | undefined> {
  const row = await tx
    .selectFrom('guest_invites')
    .selectAll()
    .where('id', '=', id)
    .where('organization_id', '=', organization)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row && { ...inviteOf(row), revoked: row.revoked_at !== null }
}

/** Ends a link. Guests who wait with it expire, by a trigger. */
export async function markRevoked(
  tx: Tx,
  organization: OrganizationId,
  id: string,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('guest_invites')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('organization_id', '=', organization)
    .execute()
}

/** Links that have expired for so long. */
export async function purgeInvites(db: Db, before: Date): Promise<void> {
  await sql`delete from guest_invites where expires_at < ${before}`.execute(db)
}

function inviteOf(row: Selectable<Tables['guest_invites']>): GuestInvite {
  return {
    id: row.id,
    organization: trusted.organizationId(row.organization_id),
    room: trusted.roomId(row.room_id),
    createdBy: trusted.userId(row.created_by),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    allowAll: row.allow_all,
    allowedAdmins: row.allowed_admins.map(trusted.userId),
  }
}
