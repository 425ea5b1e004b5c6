import { sql } from 'kysely'
import { columnsOfDue, type Due } from '../../directory/retention.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import type { OrganizationId } from '../../platform/ids.ts'

/**
 * How recordings are deleted: it is written down that it begins, the file is removed, then the row. A legal hold comes
 * before that beginning, or too late; it is never promised of a file that is on its way out.
 */

/** @returns false where it is under legal hold, or gone */
export async function beginRemoval(
  db: Db,
  organization: OrganizationId,
  id: string,
  now: Date,
): Promise<boolean> {
  const row = await db
    .updateTable('recordings')
    .set({ removal_began_at: now })
    .where('organization_id', '=', organization)
    .where('id', '=', id)
    .where('held_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** The file could not be removed: all is as before. */
export async function giveUpRemoval(db: Db, organization: OrganizationId, id: string): Promise<void> {
  await db
    .updateTable('recordings')
    .set({ removal_began_at: null })
    .where('organization_id', '=', organization)
    .where('id', '=', id)
    .execute()
}

/** @returns false where somebody else was faster */
export async function deleteRecordingRow(tx: Tx, organization: OrganizationId, id: string): Promise<boolean> {
  const row = await tx
    .deleteFrom('recordings')
    .where('organization_id', '=', organization)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
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

/** A recording of which a job has begun to remove the file. */
export interface LeavingRecording {
  id: string
  fileKey: string
}

/** Begins to remove some recordings of all organizations that ended before then. By recordings_over: nothing else is read. */
export async function beginRemovalOfOld(
  db: Db,
  before: Date,
  now: Date,
  limit: number,
): Promise<LeavingRecording[]> {
  const { rows } = await sql<LeavingRecording>`
    update recordings set removal_began_at = ${now} where held_at is null and id = any(array(
      select id from recordings where ended_at is not null and ended_at < ${before} and held_at is null
      order by ended_at limit ${limit}))
    returning id, file_key as "fileKey"`.execute(db)
  return rows
}

/** The same of organizations that have decided for themselves. By recordings_over_of_organization. */
export async function beginRemovalOfDue(
  db: Db,
  due: readonly Due[],
  now: Date,
  limit: number,
): Promise<LeavingRecording[]> {
  const { organizations, befores } = columnsOfDue(due)
  const { rows } = await sql<LeavingRecording>`
    update recordings set removal_began_at = ${now} where held_at is null and id = any(array(
      select r.id from unnest(${organizations}::bigint[], ${befores}::timestamptz[]) as due (organization, before)
        cross join lateral (select id from recordings
          where organization_id = due.organization and ended_at is not null and ended_at < due.before
            and held_at is null
          order by ended_at limit ${limit}) as r
      limit ${limit}))
    returning id, file_key as "fileKey"`.execute(db)
  return rows
}

/** Those of which the removal began before then and has not come to its end: the process ended in between. */
export async function listUnfinishedRemovals(
  db: Db,
  before: Date,
  limit: number,
): Promise<LeavingRecording[]> {
  return await db
    .selectFrom('recordings')
    .select(['id', 'file_key as fileKey'])
    .where('removal_began_at', '<', before)
    .limit(limit)
    .execute()
}

/** Ends the removal of recordings of whichever organization. */
export async function deleteRecordingRows(db: Db, ids: readonly string[]): Promise<void> {
  await sql`delete from recordings
    where id = any(${ids}::uuid[]) and removal_began_at is not null`.execute(db)
}
