import { type Generated, sql } from 'kysely'
import type { Db, Tx } from '../../../platform/database/database.ts'
import type { OrganizationId, RoomId, UserId } from '../../../platform/ids.ts'

declare module '../../../platform/database/database.ts' {
  interface Tables {
    room_doors: {
      organization_id: string
      room_id: string
      user_id: string
      let_in_until: Generated<Date | null>
      expected_until: Generated<Date | null>
      put_out_at: Generated<Date | null>
      changed_at: Date
    }
  }
}

/** One person at the door of one room. */
export interface AtDoor {
  organization: OrganizationId
  room: RoomId
  user: UserId
}

/** Lets a person take one token until a moment. */
export async function letIn(
  db: Db,
  { organization, room, user }: AtDoor,
  until: Date,
  now: Date,
): Promise<void> {
  await sql`
    insert into room_doors (organization_id, room_id, user_id, let_in_until, changed_at)
    values (${organization}, ${room}, ${user}, ${until}, ${now})
    on conflict (room_id, user_id) do update set let_in_until = excluded.let_in_until, changed_at = excluded.changed_at`.execute(
    db,
  )
}

/** Spends what `letIn` gave, once: of two requests at once, one. @returns false where there is nothing to spend */
export async function spendLetIn(db: Db, at: AtDoor, expectedUntil: Date, now: Date): Promise<boolean> {
  const row = await db
    .updateTable('room_doors')
    .set({ let_in_until: null, expected_until: expectedUntil, put_out_at: null, changed_at: now })
    .where('room_id', '=', at.room)
    .where('user_id', '=', at.user)
    .where('organization_id', '=', at.organization)
    .where('let_in_until', '>', now)
    .returning('room_id')
    .executeTakeFirst()
  return row !== undefined
}

/** Writes down that a person was put out: their stay of before lets them in no more. */
export async function notePutOut(db: Db, { organization, room, user }: AtDoor, now: Date): Promise<void> {
  await sql`
    insert into room_doors (organization_id, room_id, user_id, put_out_at, changed_at)
    values (${organization}, ${room}, ${user}, ${now}, ${now})
    on conflict (room_id, user_id) do update set put_out_at = excluded.put_out_at, let_in_until = null,
      expected_until = null, changed_at = excluded.changed_at`.execute(db)
}

/** What was decided about a person at a door. */
export interface Decided {
  expectedUntil: Date | null
  putOutAt: Date | null
}

export async function readDoor(db: Db, at: AtDoor): Promise<Decided | undefined> {
  const row = await db
    .selectFrom('room_doors')
    .select(['expected_until', 'put_out_at'])
    .where('room_id', '=', at.room)
    .where('user_id', '=', at.user)
    .where('organization_id', '=', at.organization)
    .executeTakeFirst()
  return row && { expectedUntil: row.expected_until, putOutAt: row.put_out_at }
}

/** Locks a room, or opens it. @returns false where nothing is different */
export async function setLocked(
  tx: Tx,
  organization: OrganizationId,
  room: RoomId,
  since: Date | null,
): Promise<boolean> {
  const row = await tx
    .updateTable('rooms')
    .set({ locked_at: since })
    .where('id', '=', room)
    .where('organization_id', '=', organization)
    .where('locked_at', since ? 'is' : 'is not', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Of all organizations. */
export async function purgeDoors(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('room_doors').where('changed_at', '<', before).execute()
}

export async function eraseFromDoors(db: Db, { id }: { id: UserId }): Promise<void> {
  await db.deleteFrom('room_doors').where('user_id', '=', id).execute()
}
