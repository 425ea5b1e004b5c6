import type { Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import { type DeploymentRetention, readRetention } from '../../directory/retention.ts'
import type { Db } from '../../platform/database/database.ts'

interface Needs {
  db: Db
  retention: DeploymentRetention
}

/** For how many days the active organization keeps what it has: shown to all members, as it is about their data. */
export async function getOrganizationRetention(
  needs: Needs,
  caller: CallerOf<'getOrganizationRetention'>,
): Promise<Reply<'getOrganizationRetention'>> {
  const own = await readRetention(needs.db, caller.organization.id)
  return { status: 200, body: { ...own, deployment: needs.retention } }
}
