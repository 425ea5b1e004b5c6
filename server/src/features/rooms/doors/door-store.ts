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
      removed_until: Generated<Date | null>
      /** Of a bot: it was asked into the room, and is awaited until then. */
      dispatched_until: Generated<Date | null>
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

/** Writes down that a person was removed: they get no token until a moment, and their stay of before counts no more. */
export async function noteRemoved(
  db: Db,
  { organization, room, user }: AtDoor,
  until: Date,
  now: Date,
): Promise<void> {
  await sql`
    insert into room_doors (organization_id, room_id, user_id, put_out_at, removed_until, changed_at)
    values (${organization}, ${room}, ${user}, ${now}, ${until}, ${now})
    on conflict (room_id, user_id) do update set put_out_at = excluded.put_out_at,
      removed_until = excluded.removed_until, let_in_until = null, expected_until = null, dispatched_until = null,
      changed_at = excluded.changed_at`.execute(db)
}

/** A person who was removed has a new token: what they held before is no longer told from it. */
export async function forgetRemoved(db: Db, at: AtDoor): Promise<void> {
  await db
    .updateTable('room_doors')
    .set({ removed_until: null })
    .where('room_id', '=', at.room)
    .where('user_id', '=', at.user)
    .where('organization_id', '=', at.organization)
    .execute()
}

/**
 * Notes that a bot is asked into a room, and awaited until a moment.
 * @returns false where it is awaited already, or was removed a moment ago
 */
export async function noteDispatched(
  tx: Tx,
  { organization, room, user }: AtDoor,
  until: Date,
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    insert into room_doors (organization_id, room_id, user_id, dispatched_until, changed_at)
    values (${organization}, ${room}, ${user}, ${until}, ${now})
    on conflict (room_id, user_id) do update
      set dispatched_until = excluded.dispatched_until, changed_at = excluded.changed_at
      where coalesce(room_doors.dispatched_until <= ${now}, true)
        and coalesce(room_doors.removed_until <= ${now}, true)
    returning room_id`.execute(tx)
  return rows.length > 0
}

/** @returns whether it was awaited */
export async function forgetDispatched(db: Db, at: AtDoor, now: Date): Promise<boolean> {
  const row = await db
    .updateTable('room_doors')
    .set({ dispatched_until: null })
    .where('room_id', '=', at.room)
    .where('user_id', '=', at.user)
    .where('organization_id', '=', at.organization)
    .where('dispatched_until', '>', now)
    .returning('room_id')
    .executeTakeFirst()
  return row !== undefined
}

/** What was decided about a person at a door. */
export interface Decided {
  /** They may take one token until then. */
  letInUntil: Date | null
  expectedUntil: Date | null
  putOutAt: Date | null
  /** Not null: they were removed, and have no new token. */
  removedUntil: Date | null
}

export async function readDoor(db: Db, at: AtDoor): Promise<Decided | undefined> {
  const row = await db
    .selectFrom('room_doors')
    .select(['let_in_until', 'expected_until', 'put_out_at', 'removed_until'])
    .where('room_id', '=', at.room)
    .where('user_id', '=', at.user)
    .where('organization_id', '=', at.organization)
    .executeTakeFirst()
  return (
    row && {
      letInUntil: row.let_in_until,
      expectedUntil: row.expected_until,
      putOutAt: row.put_out_at,
      removedUntil: row.removed_until,
    }
  )
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
