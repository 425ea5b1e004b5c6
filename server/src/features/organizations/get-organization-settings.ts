import type { Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import { readSettings } from '../../directory/settings.ts'
import type { Db } from '../../platform/database/database.ts'

/** What the active organization has decided of itself: shown to all members. */
export async function getOrganizationSettings(
  { db }: { db: Db },
  { organization }: CallerOf<'getOrganizationSettings'>,
): Promise<Reply<'getOrganizationSettings'>> {
  return { status: 200, body: await readSettings(db, organization.id) }
}
