import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import type { OrganizationId, RoomId, UserId } from '../../platform/ids.ts'

/** Somebody who was in an organization and may still be in its rooms. Rows are made by triggers. */
export interface Departure {
  organization: OrganizationId
  user: UserId
  /** No token of before is good for longer. */
  until: Date
}

export async function listDepartures(db: Db, now: Date, limit: number): Promise<Departure[]> {
  const { rows } = await sql<Departure>`
    select organization_id as organization, user_id as user, until from room_departures
    where next_attempt_at <= ${now} order by next_attempt_at limit ${limit}`.execute(db)
  return rows
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

export async function postponeDeparture(
  db: Db,
  { organization, user, until }: Departure,
  next: Date,
): Promise<void> {
  await db
    .updateTable('room_departures')
    .set({ next_attempt_at: next })
    .where('organization_id', '=', organization)
    .where('user_id', '=', user)
    .where('until', '=', until)
    .execute()
}

/** Rooms of deleted organizations that may still be live. */
export async function listRoomsToClose(db: Db, limit: number): Promise<RoomId[]> {
  const { rows } = await sql<{ id: RoomId }>`
    select id from rooms where close_at is not null order by close_at limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

export async function markClosed(db: Db, room: RoomId): Promise<void> {
  await db.updateTable('rooms').set({ close_at: null }).where('id', '=', room).execute()
}
