import type { Db } from '../../../platform/database/database.ts'
import type { OrganizationId } from '../../../platform/ids.ts'
import { endingsOf } from '../film-file.ts'
import type { StoredChapter } from './speaker.ts'

/** Where there are none yet: what its recorder has noted is better than what is found out later. */
export async function setChapters(
  db: Db,
  organization: OrganizationId,
  id: string,
  chapters: readonly StoredChapter[],
): Promise<void> {
  await db
    .updateTable('recordings')
    .set({ chapters: JSON.stringify(chapters) })
    .where('organization_id', '=', organization)
    .where('id', '=', id)
    .where('chapters', 'is', null)
    .execute()
}

/** Of the recording with that film, of whichever organization: it may end otherwise than it was asked to. */
export async function setChaptersOfFile(
  db: Db,
  fileKey: string,
  chapters: readonly StoredChapter[],
): Promise<void> {
  await db
    .updateTable('recordings')
    .set({ chapters: JSON.stringify(chapters) })
    .where('file_key', 'in', endingsOf(fileKey))
    .execute()
}
