import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/database/database.ts'
import { type OrganizationId, trusted } from '../../../platform/ids.ts'
import { endingsOf } from '../film-file.ts'
import type { StoredWord } from '../watching/speaker.ts'
import { speechKeyOf } from './speech-key.ts'

/** What there is of a transcript: `waiting` for its words, or without them for good. */
export type TranscriptState = 'waiting' | 'failed'

/**
 * Of the recording with that film, of whichever organization, where it has no words yet: it may end otherwise than it
 * was asked to.
 * @returns undefined where there is no such recording
 */
export async function beginTranscript(
  db: Db,
  fileKey: string,
  state: TranscriptState,
): Promise<{ id: string; organization: OrganizationId } | undefined> {
  const row = await db
    .updateTable('recordings')
    .set({ transcript_state: state })
    .where('file_key', 'in', endingsOf(fileKey))
    .where('transcript', 'is', null)
    .returning(['id', 'organization_id'])
    .executeTakeFirst()
  return row && { id: row.id, organization: trusted.organizationId(row.organization_id) }
}

/** Ends what waits: with its words, or without (null). @returns false where it does not wait any more */
export async function endTranscript(
  tx: Tx,
  organization: OrganizationId,
  id: string,
  words: readonly StoredWord[] | null,
): Promise<boolean> {
  const row = await tx
    .updateTable('recordings')
    .set({
      transcript: words && JSON.stringify(words),
      transcript_state: words ? null : ('failed' as const),
    })
    .where('organization_id', '=', organization)
    .where('id', '=', id)
    .where('transcript_state', '=', 'waiting')
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function readWords(
  db: Db,
  organization: OrganizationId,
  id: string,
): Promise<StoredWord[] | undefined> {
  const row = await db
    .selectFrom('recordings')
    .select('transcript')
    .where('organization_id', '=', organization)
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.transcript ?? undefined
}

/** What there is of a transcript, until the transaction ends; undefined where there is no such recording. */
export async function lockTranscript(
  tx: Tx,
  organization: OrganizationId,
  id: string,
): Promise<{ state: TranscriptState | null; words: StoredWord[] | null } | undefined> {
  return await tx
    .selectFrom('recordings')
    .select(['transcript_state as state', 'transcript as words'])
    .where('organization_id', '=', organization)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

/** In the place of those that it has. */
export async function storeWords(
  tx: Tx,
  organization: OrganizationId,
  id: string,
  words: readonly StoredWord[],
): Promise<void> {
  await tx
    .updateTable('recordings')
    .set({ transcript: JSON.stringify(words) })
    .where('organization_id', '=', organization)
    .where('id', '=', id)
    .execute()
}

/** Which of these objects are speech that waits for its words. */
export async function speechThatWaits(db: Db, keys: readonly string[]): Promise<string[]> {
  const films = keys.filter((key) => speechKeyOf(key) === key).flatMap(endingsOf)
  if (films.length === 0) return []
  const rows = await db
    .selectFrom('recordings')
    .select('file_key')
    .where('file_key', '=', sql<string>`any(${films})`)
    .where('transcript_state', '=', 'waiting')
    .execute()
  return rows.map(({ file_key }) => speechKeyOf(file_key))
}
