import { sql } from 'kysely'
import type { Db } from '../../../platform/database/database.ts'
import type { OrganizationId, RoomId } from '../../../platform/ids.ts'

/** What the bots are called that are in a room, and those that will come: told before one enters. */
export async function programsOfRoom(
  db: Db,
  { organization, room }: { organization: OrganizationId; room: RoomId },
  now: Date,
): Promise<string[]> {
  const { rows } = await sql<{ programs: string[] }>`
    select programs_of_room(r, ${now}) as programs from rooms r
    where r.id = ${room} and r.organization_id = ${organization}`.execute(db)
  return rows[0]?.programs ?? []
}
