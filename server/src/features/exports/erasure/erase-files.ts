import type { OrganizationRef } from '../../../directory/organizations.ts'
import type { Db } from '../../../platform/database/database.ts'
import type { UserId } from '../../../platform/ids.ts'
import type { ObjectStoragePort } from '../../../ports/object-storage.ts'
import { listFilesOfOrganization } from '../store.ts'

interface Needs {
  db: Db
  storage: Pick<ObjectStoragePort, 'list' | 'remove' | 'dropParts'>
}

/**
 * Removes the files of an organization that is erased: by where they lie, whether a row still names them or not.
 * @param closed accounts that were its own
 * @returns how many
 */
export async function eraseFiles(
  { db, storage }: Needs,
  organization: OrganizationRef,
  closed: readonly UserId[],
  now: Date,
): Promise<number> {
  // the rows go later: where the store fails, the next call still knows them
  const archives = await listFilesOfOrganization(db, organization.id)
  await storage.remove(archives)
  let files = archives.length
  for (const folder of [...foldersOf(organization), ...closed.map((id) => `avatars/${id}/`)])
    for await (const batch of storage.list(folder)) {
      await storage.remove(batch.map(({ key }) => key))
      files += batch.length
    }
  await storage.dropParts(unfinishedFiles(organization), now)
  return files
}

/** Files of the chat and their previews, recordings with the voices that wait, logos, and uploads that were not finished. */
function foldersOf(organization: OrganizationRef): string[] {
  const { id, identityId } = organization
  return [
    `attachments/${id}/`,
    `recordings/${identityId}/`,
    `logos/${identityId}/`,
    `tmp/${identityId}/`,
    unfinishedFiles(organization),
  ]
}

const unfinishedFiles = ({ id }: OrganizationRef) => `tmp/files/${id}/`
