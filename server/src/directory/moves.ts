import { sql } from 'kysely'
import type { Db, Tx } from '../platform/database/database.ts'
import { type IdentityOrganizationId, type OrganizationId, trusted, type UserId } from '../platform/ids.ts'
import { markOrganizationDeleted, type OrganizationRef } from './organizations.ts'

declare module '../platform/database/database.ts' {
  interface Tables {
    organization_moves: {
      organization_id: string
      moved_to: string
      moved_at: Date
      archive_digest: string | null
      confirmed_at: Date | null
    }
  }
}

/** An organization that has moved, and waits for that to be confirmed. */
export interface Move {
  organization: OrganizationRef
  movedTo: string
  /** Undefined until its archive is written. */
  archiveDigest: string | undefined
}

export async function findMove(db: Db, identityId: IdentityOrganizationId): Promise<Move | undefined> {
  const { rows } = await sql<{ id: string; movedTo: string; digest: string | null }>`
    select o.id, v.moved_to as "movedTo", v.archive_digest as digest
    from organization_moves v join organizations o on o.id = v.organization_id
    where o.identity_organization_id = ${identityId} and v.confirmed_at is null`.execute(db)
  const [row] = rows
  if (!row) return undefined
  const organization = { id: trusted.organizationId(row.id), identityId }
  return { organization, movedTo: row.movedTo, archiveDigest: row.digest ?? undefined }
}

/** Hides an organization from all as a deleted one is, but changes nothing else: its domains stay proven. */
export async function hideMoved(tx: Tx, id: OrganizationId, movedTo: string, now: Date): Promise<void> {
  await tx
    .insertInto('organization_moves')
    .values({
      organization_id: id,
      moved_to: movedTo,
      moved_at: now,
      archive_digest: null,
      confirmed_at: null,
    })
    .execute()
  await tx.updateTable('organizations').set({ deleted_at: now }).where('id', '=', id).execute()
}

export async function noteArchiveOfMove(db: Db, id: OrganizationId, digest: string): Promise<void> {
  await db
    .updateTable('organization_moves')
    .set({ archive_digest: digest })
    .where('organization_id', '=', id)
    .execute()
}

/** Shows it again, as it was. */
export async function takeMoveBack(tx: Tx, id: OrganizationId): Promise<void> {
  await forgetMove(tx, id)
  await tx.updateTable('organizations').set({ deleted_at: null }).where('id', '=', id).execute()
}

/** From now on it is a deleted organization like any other, but that its people are told where it is. */
export async function endMove(tx: Tx, id: OrganizationId, now: Date): Promise<void> {
  await tx
    .updateTable('organization_moves')
    .set({ confirmed_at: now })
    .where('organization_id', '=', id)
    .execute()
  await markOrganizationDeleted(tx, id, now)
}

/** An organization that is at another office now. */
export interface MovedOrganization {
  organizationName: string
  /** The address of that office. */
  url: string
}

/** The organizations that a person was an active member of when they moved, confirmed or not; the latest move first. */
export async function listMovedFrom(db: Db, user: UserId): Promise<MovedOrganization[]> {
  const { rows } = await sql<MovedOrganization>`
    select o.name as "organizationName", v.moved_to as url
    from memberships m
      join organization_moves v on v.organization_id = m.organization_id
      join organizations o on o.id = m.organization_id
    where m.user_id = ${user} and m.status = 'active' and o.deleted_at is not null
    order by v.moved_at desc, o.id`.execute(db)
  return rows
}

/** An organization that is opened here again has not moved. */
export async function forgetMove(tx: Tx, id: OrganizationId): Promise<void> {
  await tx.deleteFrom('organization_moves').where('organization_id', '=', id).execute()
}
