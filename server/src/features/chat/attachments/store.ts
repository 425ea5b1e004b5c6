import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/database/database.ts'
import type { OrganizationId, UserId } from '../../../platform/ids.ts'

/** An upload that has begun. */
export interface NewAttachment {
  organization: OrganizationId
  conversationId: number
  user: UserId
  name: string
  contentType: string
  bytes: number
  objectKey: string
  uploadKey: string
  session: string | undefined
}

/** A file as messages show it. */
export interface ShownAttachment {
  id: string
  name: string
  contentType: string
  bytes: number
  width?: number
  height?: number
}

/** An attachment of the one who uploads it. */
export interface OwnAttachment {
  id: string
  name: string
  /** As its sender called it, until it is finished. */
  contentType: string
  bytes: number
  objectKey: string
  uploadKey: string | null
  session: string | null
  /** Where it is finished. */
  shown: ShownAttachment | null
}

/**
 * Notes an upload, where the person has fewer than so many since then that are in no message. Until the transaction ends
 * their other tickets wait. @returns its id; undefined where there are too many
 */
export async function insertAttachmentWithin(
  tx: Tx,
  limit: { max: number; since: Date },
  attachment: NewAttachment,
  now: Date,
): Promise<string | undefined> {
  const { user } = attachment
  await sql`select pg_advisory_xact_lock(hashtextextended(${`attachments of ${user}`}, 0))`.execute(tx)
  const { rows: open } = await sql`select from attachments
    where user_id = ${user} and message_id is null and created_at > ${limit.since} limit ${limit.max}`.execute(
    tx,
  )
  if (open.length >= limit.max) return undefined
  const { rows } = await sql<{ id: string }>`
    insert into attachments (org_id, conversation_id, user_id, name, content_type, bytes, object_key, upload_key,
      upload_session, created_at)
    values (${attachment.organization}, ${attachment.conversationId}, ${user}, ${attachment.name},
      ${attachment.contentType}, ${attachment.bytes}, ${attachment.objectKey}, ${attachment.uploadKey},
      ${attachment.session ?? null}, ${now})
    returning attachment_id as id`.execute(tx)
  return rows[0]?.id
}

/** An attachment that this person has begun to upload in this organization. */
export async function readOwnAttachment(
  db: Db,
  organization: OrganizationId,
  user: UserId,
  id: string,
): Promise<OwnAttachment | undefined> {
  const { rows } = await sql<OwnAttachment>`
    select attachment_id as id, name, content_type as "contentType", bytes::float8 as bytes, object_key as "objectKey",
      upload_key as "uploadKey", upload_session as session,
      case when finished_at is not null
        then attachment_shown(attachment_id, name, content_type, bytes, width, height) end as shown
    from attachments where attachment_id = ${id} and org_id = ${organization} and user_id = ${user}`.execute(
    db,
  )
  return rows[0]
}

/** What an upload was found to be. */
export interface Finished {
  contentType: string
  picture: { width: number; height: number; previewKey: string } | undefined
}

/** @returns how it is shown; undefined where it is gone by now */
export async function finishAttachment(
  db: Db,
  organization: OrganizationId,
  id: string,
  { contentType, picture }: Finished,
  now: Date,
): Promise<ShownAttachment | undefined> {
  const { rows } = await sql<{ shown: ShownAttachment }>`
    update attachments set content_type = ${contentType}, width = ${picture?.width ?? null},
      height = ${picture?.height ?? null}, preview_key = ${picture?.previewKey ?? null},
      upload_key = null, upload_session = null, finished_at = coalesce(finished_at, ${now})
    where attachment_id = ${id} and org_id = ${organization}
    returning attachment_shown(attachment_id, name, content_type, bytes, width, height) as shown`.execute(db)
  return rows[0]?.shown
}

/** Takes an upload back that is in no message; what lies in the store goes with its row. */
export async function deleteAttachment(db: Db, organization: OrganizationId, id: string): Promise<void> {
  await sql`delete from attachments
    where attachment_id = ${id} and org_id = ${organization} and message_id is null`.execute(db)
}

/**
 * Deletes, at most so many at once, what is in no message since then, and what is left of organizations that were deleted
 * before then. @returns how many
 */
export async function purgeAttachments(
  db: Db,
  before: { waiting: Date; deleted: Date },
  limit: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select purge_attachments(${before.waiting}, ${before.deleted}, ${limit}) as count`.execute(db)
  return rows[0]?.count ?? 0
}

/** Which of these keys are those of files or previews. */
export async function keptFiles(db: Db, keys: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select key from unnest(${keys}::text[]) key
    where exists (select from attachments a where a.object_key = regexp_replace(key, '\\.webp$', ''))`.execute(
    db,
  )
  return rows.map(({ key }) => key)
}
