import { sql } from 'kysely'
import { columnsOfDue, type Due } from '../../../directory/retention.ts'
import type { Db, Tx } from '../../../platform/database/database.ts'
import { type Answered, type OrganizationId, trusted } from '../../../platform/ids.ts'

/**
 * How recordings are deleted: it is written down that it begins, the file is removed, then the row. A legal hold comes
 * before that beginning, or too late; it is never promised of a file that is on its way out.
 */

/** Of a recording that is locked, and not held. */
export async function beginRemoval(
  tx: Tx,
  organization: OrganizationId,
  id: string,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('recordings')
    .set({ removal_began_at: now })
    .where('organization_id', '=', organization)
    .where('id', '=', id)
    .execute()
}

/** Notes that a recording is held from now on, with a reason, or that it is not any more (null). */
export async function setHold(
  tx: Tx,
  organization: OrganizationId,
  id: string,
  hold: { heldAt: Date; reason: string | null } | null,
): Promise<void> {
  await tx
    .updateTable('recordings')
    .set({ held_at: hold?.heldAt ?? null, hold_reason: hold?.reason ?? null })
    .where('organization_id', '=', organization)
    .where('id', '=', id)
    .execute()
}

/** A recording of which the removal has begun. */
export interface LeavingRecording {
  id: string
  organization: OrganizationId
  fileKey: string
}

function leavingOf(row: Answered<LeavingRecording>): LeavingRecording {
  return { ...row, organization: trusted.organizationId(row.organization) }
}

/** One that was removed. */
export interface RemovedRecording {
  id: string
  /** Null: it was never known. */
  egressId: string | null
  room: string
}

/** Begins to remove some recordings of all organizations that ended before then. By recordings_over: nothing else is read. */
export async function beginRemovalOfOld(
  db: Db,
  before: Date,
  now: Date,
  limit: number,
): Promise<LeavingRecording[]> {
  const { rows } = await sql<Answered<LeavingRecording>>`
    update recordings set removal_began_at = ${now} where held_at is null and id = any(array(
      select id from recordings where ended_at is not null and ended_at < ${before} and held_at is null
        and removal_began_at is null
      order by ended_at limit ${limit}))
    returning id, organization_id as organization, file_key as "fileKey"`.execute(db)
  return rows.map(leavingOf)
}

/** The same of organizations that have decided for themselves. By recordings_over_of_organization. */
export async function beginRemovalOfDue(
  db: Db,
  due: readonly Due[],
  now: Date,
  limit: number,
): Promise<LeavingRecording[]> {
  const { organizations, befores } = columnsOfDue(due)
  const { rows } = await sql<Answered<LeavingRecording>>`
    update recordings set removal_began_at = ${now} where held_at is null and id = any(array(
      select r.id from unnest(${organizations}::bigint[], ${befores}::timestamptz[]) as due (organization, before)
        cross join lateral (select id from recordings
          where organization_id = due.organization and ended_at is not null and ended_at < due.before
            and held_at is null and removal_began_at is null
          order by ended_at limit ${limit}) as r
      limit ${limit}))
    returning id, organization_id as organization, file_key as "fileKey"`.execute(db)
  return rows.map(leavingOf)
}

/**
 * Begins again with those of which the removal began before then and has not come to its end: a file could not be
 * removed, or the process ended in between. Whatever fails again is not met again before the next time.
 */
export async function beginRemovalAgain(
  db: Db,
  before: Date,
  now: Date,
  limit: number,
): Promise<LeavingRecording[]> {
  const { rows } = await sql<Answered<LeavingRecording>>`
    update recordings set removal_began_at = ${now} where id = any(array(
      select id from recordings where removal_began_at < ${before} order by removal_began_at limit ${limit}))
    returning id, organization_id as organization, file_key as "fileKey"`.execute(db)
  return rows.map(leavingOf)
}

/** Ends the removal of recordings. @returns those that were still there */
export async function deleteRecordingRows(
  tx: Tx,
  organization: OrganizationId,
  ids: readonly string[],
): Promise<RemovedRecording[]> {
  const { rows } = await sql<RemovedRecording>`
    delete from recordings
    where organization_id = ${organization} and id = any(${ids}::uuid[]) and removal_began_at is not null
    returning id, egress_id as "egressId", room_id as room`.execute(tx)
  return rows
}

/** How many recordings of an organization are under legal hold. */
export async function countHeld(db: Db, organization: OrganizationId): Promise<number> {
  const { rows } = await sql<{ held: number }>`
    select count(*)::int as held from recordings
    where organization_id = ${organization} and held_at is not null`.execute(db)
  return rows[0]?.held ?? 0
}
