import type { ExportState } from '@atrium/contract'
import { type Generated, type Selectable, sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/database.ts'
import { isUniqueViolation } from '../../platform/database/database-errors.ts'
import type { OrganizationId, UserId } from '../../platform/ids.ts'

declare module '../../platform/database/database.ts' {
  interface Tables {
    exports: ExportColumns
  }
}

interface ExportColumns {
  id: string
  organization_id: string | null
  user_id: string | null
  state: ExportState
  progress: Generated<number>
  started_by: string | null
  started_at: Date
  ended_at: Date | null
  expires_at: Date | null
  object_key: string
  size_bytes: string | null
}

export type ExportRow = Selectable<ExportColumns>

/** What an archive is of. */
export type ExportOwner = { organization: OrganizationId } | { user: UserId }

export interface NewExport {
  id: string
  owner: ExportOwner
  startedBy: UserId
  objectKey: string
}

/** @returns false where one of the same owner is running; the transaction cannot go on then */
export async function insertExport(
  tx: Tx,
  { id, owner, startedBy, objectKey }: NewExport,
  now: Date,
): Promise<boolean> {
  const row = {
    id,
    ...columnOf(owner),
    state: 'running' as const,
    started_by: startedBy,
    started_at: now,
    object_key: objectKey,
  }
  try {
    await tx.insertInto('exports').values(row).execute()
    return true
  } catch (error) {
    if (isUniqueViolation(error)) return false
    throw error
  }
}

export async function isExportRunning(db: Db, owner: ExportOwner): Promise<boolean> {
  const row = await ofOwner(db, owner).where('state', '=', 'running').limit(1).executeTakeFirst()
  return row !== undefined
}

/** Those that were started since then, newest first. */
export async function listExports(
  db: Db,
  owner: ExportOwner,
  since: Date,
  limit: number,
): Promise<ExportRow[]> {
  return await ofOwner(db, owner)
    .where('started_at', '>=', since)
    .orderBy('started_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()
}

function ofOwner(db: Db, owner: ExportOwner) {
  const query = db.selectFrom('exports').selectAll()
  return 'user' in owner
    ? query.where('user_id', '=', owner.user)
    : query.where('organization_id', '=', owner.organization)
}

function columnOf(owner: ExportOwner): { user_id: UserId } | { organization_id: OrganizationId } {
  return 'user' in owner ? { user_id: owner.user } : { organization_id: owner.organization }
}

/** Where the files of a user's own exports lie. */
export async function listFilesOf(db: Db, user: UserId): Promise<string[]> {
  const rows = await db.selectFrom('exports').select('object_key').where('user_id', '=', user).execute()
  return rows.map(({ object_key }) => object_key)
}

/** Deletes a user's own exports. @returns where their files lie */
export async function deleteExportsOf(db: Db, user: UserId): Promise<string[]> {
  const rows = await db.deleteFrom('exports').where('user_id', '=', user).returning('object_key').execute()
  return rows.map(({ object_key }) => object_key)
}

/** Where the files of an organization's exports lie. */
export async function listFilesOfOrganization(db: Db, organization: OrganizationId): Promise<string[]> {
  const rows = await ofOwner(db, { organization }).execute()
  return rows.map(({ object_key }) => object_key)
}

/** Of whomever: for the work queue, which knows its id only. */
export async function findExport(db: Db, id: string): Promise<ExportRow | undefined> {
  return await db.selectFrom('exports').selectAll().where('id', '=', id).executeTakeFirst()
}

/** It never goes back: what is begun again catches up with it. */
export async function noteProgress(db: Db, id: string, progress: number): Promise<void> {
  await db
    .updateTable('exports')
    .set({ progress })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .where('progress', '<', progress)
    .execute()
}

/** @returns false where it does not run any more */
export async function endExport(
  db: Db,
  id: string,
  end: { state: 'ready'; expiresAt: Date; sizeBytes: number } | { state: 'failed' },
  now: Date,
): Promise<boolean> {
  const ready = end.state === 'ready'
  const { numUpdatedRows } = await db
    .updateTable('exports')
    .set({
      state: end.state,
      ended_at: now,
      ...(ready ? { progress: 100, expires_at: end.expiresAt, size_bytes: String(end.sizeBytes) } : {}),
    })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Its file is gone. */
export async function noteExpired(db: Db, id: string): Promise<void> {
  await db
    .updateTable('exports')
    .set({ state: 'expired' })
    .where('id', '=', id)
    .where('state', '=', 'ready')
    .execute()
}

/** Nothing is left of those that were started before, but for what still has a file. */
export async function purgeExports(db: Db, before: Date): Promise<void> {
  await sql`delete from exports where started_at < ${before} and state in ('failed', 'expired')`.execute(db)
}
