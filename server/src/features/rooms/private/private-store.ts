import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/database/database.ts'
import { type OrganizationId, type RoomId, trusted, type UserId } from '../../../platform/ids.ts'

interface NewDesk {
  id: RoomId
  organization: OrganizationId
  owner: UserId
}

/** Makes the desk of a person, unless they have one: of two at once one is made. @returns false where there is one */
export async function insertDesk(tx: Tx, { id, organization, owner }: NewDesk, now: Date): Promise<boolean> {
  const { rows } = await sql`
    insert into rooms (id, organization_id, name, metadata, kind, owner_id, created_by, created_at)
    values (${id}, ${organization}, ${id}, '{}', 'desk', ${owner}, ${owner}, ${now})
    on conflict (organization_id, owner_id) where owner_id is not null and deleted_at is null do nothing
    returning id`.execute(tx)
  return rows.length > 0
}

export async function findDesk(
  db: Db,
  organization: OrganizationId,
  owner: UserId,
): Promise<RoomId | undefined> {
  const row = await db
    .selectFrom('rooms')
    .select('id')
    .where('organization_id', '=', organization)
    .where('owner_id', '=', owner)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row && trusted.roomId(row.id)
}

/** Desks of a person, those that are gone too. */
export async function listDesksEver(db: Db, owner: string): Promise<string[]> {
  const rows = await db.selectFrom('rooms').select('id').where('owner_id', '=', owner).execute()
  return rows.map(({ id }) => id)
}

interface NewTemporaryRoom {
  id: RoomId
  organization: OrganizationId
  pair: readonly [UserId, UserId]
  wantedUntil: Date
}

/** Makes the room of two people, or keeps the one that they have: of two at once one is made. @returns the one that is there */
export async function putTemporaryRoom(
  tx: Tx,
  { id, organization, pair: [one, other], wantedUntil }: NewTemporaryRoom,
  now: Date,
): Promise<{ id: RoomId; isNew: boolean }> {
  const { rows } = await sql<{ id: string }>`
    insert into rooms (id, organization_id, name, metadata, first_person_id, second_person_id, wanted_until, created_by,
      created_at)
    values (${id}, ${organization}, ${id}, '{}', least(${one}::bigint, ${other}::bigint),
      greatest(${one}::bigint, ${other}::bigint), ${wantedUntil}, ${one}, ${now})
    on conflict (organization_id, first_person_id, second_person_id)
      where first_person_id is not null and deleted_at is null
      do update set wanted_until = excluded.wanted_until
    returning id`.execute(tx)
  const [there] = rows
  if (!there) throw new Error('a temporary room was neither made nor found')
  return { id: trusted.roomId(there.id), isNew: there.id === id }
}

/** Keeps a temporary room for a member who is about to enter it. */
export async function wantTemporaryRoom(db: Db, id: RoomId, until: Date): Promise<void> {
  await db
    .updateTable('rooms')
    .set({ wanted_until: until })
    .where('id', '=', id)
    .where('first_person_id', 'is not', null)
    .execute()
}

/** Takes temporary rooms away that are empty and have been for a moment, of all organizations. */
export async function endEmptyTemporaryRooms(db: Db, now: Date, emptySince: Date): Promise<void> {
  await sql`select end_empty_temporary_rooms(${now}, ${emptySince})`.execute(db)
}
