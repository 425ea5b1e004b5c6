import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import type { OrganizationId } from '../../platform/ids.ts'

/** What happened in an organization's rooms since a moment. */
export interface Activity {
  organization: OrganizationId
  /** Different members; guests are not among them. */
  uniqueMembers: number
  /** Of all stays that ended. */
  seconds: number
}

export async function activitySince(db: Db, since: Date): Promise<Activity[]> {
  const { rows } = await sql<Activity>`
    select organization_id as organization, count(distinct user_id)::int as "uniqueMembers", sum(seconds) as seconds
    from media_participants where counts and ended_at > ${since} group by 1`.execute(db)
  return rows
}

/** Recordings that ended with a file since a moment. */
export interface Recorded {
  organization: OrganizationId
  count: number
  seconds: number
}

export async function recordedSince(db: Db, since: Date): Promise<Recorded[]> {
  const { rows } = await sql<Recorded>`
    select organization_id as organization, count(*)::int as count, sum(seconds) as seconds
    from media_jobs
    where kind = 'egress' and result in ('success', 'limit_reached') and ended_at > ${since} group by 1`.execute(
    db,
  )
  return rows
}
