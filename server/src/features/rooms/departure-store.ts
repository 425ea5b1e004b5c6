import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { type Answered, type OrganizationId, trusted, type UserId } from '../../platform/ids.ts'

/** A former member who may still be in the organization's rooms. Rows are made by triggers. */
export interface Departure {
  organization: OrganizationId
  user: UserId
  /** No earlier token is good for longer. */
  until: Date
}

export async function listDepartures(db: Db, organization: OrganizationId): Promise<Departure[]> {
  const { rows } = await sql<Answered<Departure>>`
    select organization_id as organization, user_id as user, until from room_departures
    where organization_id = ${organization}`.execute(db)
  return rows.map((row) => ({ ...row, organization, user: trusted.userId(row.user) }))
}

/** Unless they have left once more since it was read. */
export async function deleteDeparture(db: Db, { organization, user, until }: Departure): Promise<void> {
  await db
    .deleteFrom('room_departures')
    .where('organization_id', '=', organization)
    .where('user_id', '=', user)
    .where('until', '=', until)
    .execute()
}

/** They were inside once more: the media server has given them another token then. */
export async function prolongDeparture(
  db: Db,
  { organization, user, until }: Departure,
  next: Date,
): Promise<void> {
  await db
    .updateTable('room_departures')
    .set({ until: next })
    .where('organization_id', '=', organization)
    .where('user_id', '=', user)
    .where('until', '=', until)
    .execute()
}
