import type { Db } from '../../platform/database/database.ts'
import { type IdentityUserId, type OrganizationId, trusted, type UserId } from '../../platform/ids.ts'

/** An active member of an organization by both ids: ours for tables, the identity provider's for channels. */
export interface Colleague {
  id: UserId
  identityId: IdentityUserId
}

/** Every active member of an organization. */
export async function listColleagues(db: Db, organization: OrganizationId): Promise<Colleague[]> {
  const rows = await colleagues(db, organization).execute()
  return rows.map(toColleague)
}

/** The active members among ids of either kind, each once. Unknown ids are left out. */
export async function findColleagues(
  db: Db,
  organization: OrganizationId,
  ids: { internal: readonly UserId[]; identity: readonly IdentityUserId[] },
): Promise<Colleague[]> {
  const rows = await colleagues(db, organization)
    .where(({ eb, or, fn, val }) =>
      or([
        eb('u.id', '=', fn.any(val([...ids.internal]))),
        eb('u.identity_user_id', '=', fn.any(val([...ids.identity]))),
      ]),
    )
    .execute()
  return rows.map(toColleague)
}

function colleagues(db: Db, organization: OrganizationId) {
  return db
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(['u.id', 'u.identity_user_id'])
    .where('m.organization_id', '=', organization)
    .where('m.status', '=', 'active')
}

function toColleague(row: { id: string; identity_user_id: string }): Colleague {
  return { id: trusted.userId(row.id), identityId: trusted.identityUserId(row.identity_user_id) }
}
