import type { Db, Tx } from '../../platform/database/database.ts'
import type { OrganizationId } from '../../platform/ids.ts'

/** The members of an organization by their addresses, as `normalizeEmail` writes them. Bots have none. */
export async function memberIdsByEmail(
  db: Db | Tx,
  organization: OrganizationId,
): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(['u.id', 'u.email'])
    .where('m.organization_id', '=', organization)
    .where('m.status', '=', 'active')
    .where('u.is_bot', '=', false)
    .execute()
  return new Map(rows.map(({ id, email }) => [email, id]))
}
