import { createHash } from 'node:crypto'
import type { EventData } from '@atrium/contract'
import { type Generated, sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/database.ts'
import { type OrganizationId, type RoomId, trusted, type UserId } from '../../platform/ids.ts'

export type KnockOutcome = EventData<'knock.ended'>['outcome']

declare module '../../platform/database/database.ts' {
  interface Tables {
    knocks: {
      id: string
      organization_id: string
      from_user_id: string
      /** Null: it is at a door. */
      to_user_id: string | null
      door_room_id: Generated<string | null>
      created_at: Date
      expires_at: Date
      outcome: Generated<KnockOutcome | null>
      /** Null: made by the release before. */
      said_digest: Generated<Buffer | null>
      ended_at: Generated<Date | null>
    }
  }
}

/** The words of a knock. They only travel: a digest of them is kept. */
export type KnockWords = Pick<EventData<'knock.received'>, 'roomId' | 'message'>

export interface NewKnock extends KnockWords {
  id: string
  organization: OrganizationId
  from: UserId
  to: UserId
  expiresAt: Date
}

/**
 * Lets a knock wait, unless one of the same person for the same person does: of many at once, one waits. In other words
 * than that one has said it waits again.
 * @returns the one that waits, and whether there is something to be told of it
 */
export async function putKnock(
  tx: Tx,
  { id, organization, from, to, expiresAt, ...said }: NewKnock,
  now: Date,
): Promise<{ id: string; isNews: boolean }> {
  // the job that ends it comes a moment later
  await sql`
    update knocks set outcome = 'expired', ended_at = ${now}
    where organization_id = ${organization} and from_user_id = ${from} and to_user_id = ${to} and outcome is null
      and expires_at <= ${now}`.execute(tx)
  const { rows } = await sql<{ id: string; digest: Buffer | null }>`
    insert into knocks as known (id, organization_id, from_user_id, to_user_id, created_at, expires_at, said_digest)
    values (${id}, ${organization}, ${from}, ${to}, ${now}, ${expiresAt}, ${digestOf(id, said)})
    on conflict (organization_id, from_user_id, to_user_id) where outcome is null
      do update set created_at = known.created_at
    returning id, said_digest as digest`.execute(tx)
  const [waiting] = rows
  if (!waiting) throw new Error('a knock was neither written nor found')
  if (waiting.id === id) return { id, isNews: true }
  const digest = digestOf(waiting.id, said)
  if (waiting.digest?.equals(digest)) return { id: waiting.id, isNews: false }
  await tx
    .updateTable('knocks')
    .set({ said_digest: digest, expires_at: expiresAt })
    .where('id', '=', waiting.id)
    .where('organization_id', '=', organization)
    .execute()
  return { id: waiting.id, isNews: true }
}

/**
 * Lets a knock wait at the door of a room, unless one of the same person does: of many at once, one waits.
 * @returns the one that waits, and whether there is something to be told of it
 */
export async function putDoorKnock(
  tx: Tx,
  knock: { id: string; organization: OrganizationId; from: UserId; door: RoomId; expiresAt: Date },
  now: Date,
): Promise<{ id: string; isNews: boolean }> {
  const { id, organization, from, door, expiresAt } = knock
  await sql`
    update knocks set outcome = 'expired', ended_at = ${now}
    where organization_id = ${organization} and from_user_id = ${from} and door_room_id = ${door} and outcome is null
      and expires_at <= ${now}`.execute(tx)
  const { rows } = await sql<{ id: string }>`
    insert into knocks as known (id, organization_id, from_user_id, door_room_id, created_at, expires_at)
    values (${id}, ${organization}, ${from}, ${door}, ${now}, ${expiresAt})
    on conflict (organization_id, from_user_id, door_room_id) where outcome is null and door_room_id is not null
      do update set created_at = known.created_at
    returning id`.execute(tx)
  const [waiting] = rows
  if (!waiting) throw new Error('a knock was neither written nor found')
  return { id: waiting.id, isNews: waiting.id === id }
}

/** Who stands at the door of which room with a knock; undefined where it is none at a door. */
export async function readDoorKnock(
  db: Db,
  organization: OrganizationId,
  id: string,
): Promise<{ from: UserId; room: RoomId } | undefined> {
  const row = await db
    .selectFrom('knocks')
    .select(['from_user_id', 'door_room_id'])
    .where('id', '=', id)
    .where('organization_id', '=', organization)
    .executeTakeFirst()
  if (!row?.door_room_id) return undefined
  return { from: trusted.userId(row.from_user_id), room: trusted.roomId(row.door_room_id) }
}

/** Salted with the id of the knock: the same words of two knocks cannot be told from others. */
function digestOf(id: string, { roomId, message }: KnockWords): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([id, roomId ?? null, message ?? null]))
    .digest()
}

/** Which side ends the knock: the recipient answers it, the sender takes it back. */
export type KnockSide = { to: UserId } | { from: UserId } | { door: RoomId }

/** Ends a knock that waits. The trigger `tell_knock_ended` publishes it to both. @returns false where it does not wait (any more) */
export async function endKnock(
  db: Db,
  organization: OrganizationId,
  { id, side, outcome }: { id: string; side: KnockSide; outcome: KnockOutcome },
  now: Date,
): Promise<boolean> {
  const row = await db
    .updateTable('knocks')
    .set({ outcome, ended_at: now })
    .where('id', '=', id)
    .where('organization_id', '=', organization)
    .where(...columnsOf(side))
    .where('outcome', 'is', null)
    .where('expires_at', '>', now)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** How a knock of a member ended; null: it has expired, and that has not been written down yet. */
export async function readOutcome(
  db: Db,
  organization: OrganizationId,
  { id, side }: { id: string; side: KnockSide },
): Promise<{ outcome: KnockOutcome | null } | undefined> {
  return await db
    .selectFrom('knocks')
    .select('outcome')
    .where('id', '=', id)
    .where('organization_id', '=', organization)
    .where(...columnsOf(side))
    .executeTakeFirst()
}

/** Ends expired knocks, of all organizations. */
export async function expireKnocks(db: Db, now: Date): Promise<void> {
  await sql`
    update knocks set outcome = 'expired', ended_at = ${now}
    where id in (select id from knocks where outcome is null and expires_at <= ${now} for update skip locked)`.execute(
    db,
  )
}

export async function purgeKnocks(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('knocks').where('ended_at', '<', before).execute()
}

function columnsOf(side: KnockSide): ['to_user_id' | 'from_user_id' | 'door_room_id', '=', string] {
  if ('door' in side) return ['door_room_id', '=', side.door]
  return 'to' in side ? ['to_user_id', '=', side.to] : ['from_user_id', '=', side.from]
}
