import type { Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import type { Db } from '../../platform/database/database.ts'
import { countGroupMembers, listGroups } from './resources/group-store.ts'

interface Needs {
  db: Db
}

/** The groups that the directory of the active organization has made, by name. */
export async function listDirectoryGroups(
  needs: Needs,
  caller: CallerOf<'listDirectoryGroups'>,
): Promise<Reply<'listDirectoryGroups'>> {
  const organization = caller.organization.id
  const [groups, counts] = await Promise.all([
    listGroups(needs.db, organization),
    countGroupMembers(needs.db, organization),
  ])
  const shown = groups.map(({ id, displayName, role }) => ({
    id,
    displayName,
    members: counts.get(id) ?? 0,
    role,
  }))
  shown.sort((one, other) => one.displayName.localeCompare(other.displayName))
  return { status: 200, body: { groups: shown } }
}
