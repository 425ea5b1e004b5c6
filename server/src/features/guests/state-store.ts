import { type RawBuilder, sql } from 'kysely'
import { withdraw } from '../../platform/background/work-items.ts'
import { secondsAfter } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { type OrganizationId, type RoomId, trusted, type UserId } from '../../platform/ids.ts'
import { type Static, Type } from '../../platform/schema.ts'
import { ABSENT_AFTER_TOKEN_SECONDS, STAY_SECONDS } from './rules.ts'
import { COLUMNS, type Guest, type GuestRow, guestOf } from './store.ts'

/** Changes of state. Each is one conditional update: of two at once, one finds its condition no longer met. */

/** A sighting prolongs the place of an admitted guest, unless it has ended (the room is gone). */
function movedOn(now: Date): RawBuilder<Date> {
  return sql`case when state = 'admitted' and expires_at > ${now}
    then greatest(expires_at, ${secondsAfter(now, STAY_SECONDS)}) else expires_at end`
}

const columns = sql.join(COLUMNS.map((column) => sql.ref(`guests.${column}`)))

export interface StoredDecision {
  state: 'admitted' | 'denied'
  by: UserId
  /** Where denied: for how long they are then not heard, in seconds; after the first time, the second, and so on. */
  backOffSeconds: readonly number[]
}

/**
 * Decides on a guest who waits; an admitted one stays beyond the end of their link. One who is not connected has the time
 * of a token to come in.
 * @returns undefined where they do not wait (any more), or their link has expired
 */
export async function decide(
  tx: Tx,
  place: { organization: OrganizationId; room: RoomId; id: string },
  decision: StoredDecision,
  now: Date,
): Promise<Guest | undefined> {
  const backOff = decision.backOffSeconds
  const { rows } = await sql<GuestRow>`
    update guests set state = ${decision.state}, since = ${now}, decided_by = ${decision.by}, decided_at = ${now},
      expires_at = case when ${decision.state} = 'admitted'
        then greatest(expires_at, ${secondsAfter(now, STAY_SECONDS)}) else expires_at end,
      absent_at = case when ${decision.state} = 'admitted' and connection is null
        then greatest(absent_at, ${secondsAfter(now, ABSENT_AFTER_TOKEN_SECONDS)}) else absent_at end,
      denials = denials + (${decision.state} = 'denied')::int,
      ask_again_at = case when ${decision.state} = 'denied' then ${now}::timestamptz + make_interval(
        secs => (${backOff}::int[])[least(denials + 1, cardinality(${backOff}::int[]))]) end
    where id = ${place.id} and room_id = ${place.room} and organization_id = ${place.organization}
      and state = 'waiting' and expires_at > ${now}
    returning ${columns}`.execute(tx)
  return rows[0] && guestOf(rows[0])
}

/** Puts out a guest who is in. @returns undefined where they are not (any more) */
export async function markRemoved(
  tx: Tx,
  place: { organization: OrganizationId; room: RoomId; id: string },
  by: UserId,
  now: Date,
): Promise<Guest | undefined> {
  const { rows } = await sql<GuestRow>`
    update guests set state = 'denied', since = ${now}, decided_by = ${by}, decided_at = ${now}, removed_at = ${now}
    where id = ${place.id} and room_id = ${place.room} and organization_id = ${place.organization}
      and state = 'admitted' and expires_at > ${now}
    returning ${columns}`.execute(tx)
  return rows[0] && guestOf(rows[0])
}

/** Ends the places of guests that have expired: with the link of who waits, or with the room. Those who are being decided on this moment are left for the next round. */
export async function expireGuests(tx: Tx, now: Date, limit: number): Promise<Guest[]> {
  const { rows } = await sql<GuestRow>`
    with over as (
      select id from guests where state in ('waiting', 'admitted') and expires_at <= ${now}
      order by expires_at limit ${limit} for update skip locked)
    update guests set state = 'expired', since = ${now} from over
    where guests.id = over.id
    returning ${columns}`.execute(tx)
  return rows.map(guestOf)
}

/** Guests to look for at the media server: nothing has been heard of them for long enough. */
export async function listAbsent(
  db: Db,
  now: Date,
  limit: number,
): Promise<{ id: string; room: RoomId; organization: OrganizationId }[]> {
  const { rows } = await sql<{ id: string; room: string; organization: string }>`
    select id, room_id as room, organization_id as organization from guests
    where state in ('waiting', 'admitted') and absent_at <= ${now} order by absent_at limit ${limit}`.execute(
    db,
  )
  return rows.map(({ id, room, organization }) => ({
    id,
    room: trusted.roomId(room),
    organization: trusted.organizationId(organization),
  }))
}

/** A guest is gone, where nothing has been heard of them in the meantime. */
export async function markLeft(tx: Tx, id: string, now: Date): Promise<Guest | undefined> {
  const { rows } = await sql<GuestRow>`
    update guests set state = 'left', since = ${now}, connection = null
    where id = ${id} and state in ('waiting', 'admitted') and absent_at <= ${now}
    returning ${columns}`.execute(tx)
  return rows[0] && guestOf(rows[0])
}

/** An admitted guest is kept out by the door of the room: the stay has ended. */
export async function markKeptOut(tx: Tx, id: string, now: Date): Promise<Guest | undefined> {
  const { rows } = await sql<GuestRow>`
    update guests set state = 'left', since = ${now}, connection = null where id = ${id} and state = 'admitted'
    returning ${columns}`.execute(tx)
  return rows[0] && guestOf(rows[0])
}

/** A guest was seen at the media server. */
export async function markSeen(db: Db, id: string, now: Date, absentAt: Date): Promise<void> {
  await db
    .updateTable('guests')
    .set({ absent_at: absentAt, expires_at: movedOn(now) })
    .where('id', '=', id)
    .where('state', 'in', ['waiting', 'admitted'])
    .execute()
}

/** A connection of a guest has appeared. */
export async function noteConnection(
  db: Db,
  { room, id, connection, absentAt }: { room: RoomId; id: string; connection: string; absentAt: Date },
  now: Date,
): Promise<Guest | undefined> {
  const { rows } = await sql<GuestRow>`
    update guests set connection = ${connection}, absent_at = ${absentAt}, expires_at = ${movedOn(now)}
    where id = ${id} and room_id = ${room} returning ${columns}`.execute(db)
  return rows[0] && guestOf(rows[0])
}

/** A connection has ended. One that is not the guest's last says nothing: they are there by another. */
export async function noteDisconnection(
  db: Db,
  { room, id, connection, absentAt }: { room: RoomId; id: string; connection: string; absentAt: Date },
): Promise<void> {
  await sql`
    update guests set connection = null, absent_at = ${absentAt}
    where id = ${id} and room_id = ${room} and connection = ${connection}
      and state in ('waiting', 'admitted')`.execute(db)
}

/** The work queue of states that the media server has still to be told. The trigger `note_guest_state` enqueues each new one. */
export const GUEST_QUEUE = 'guest-states'

/** What the trigger enqueues, under the id of the guest. */
export const GuestStateWork = Type.Object({
  organization: Type.String(),
  room: Type.String(),
  guest: Type.String(),
  state: Type.String(),
})

/** What had to be done is done, where the state is still the one it was done for. */
export async function settleEnforcement(
  db: Db,
  { organization, room, id, state }: Pick<Guest, 'organization' | 'room' | 'id' | 'state'>,
): Promise<void> {
  const done: Static<typeof GuestStateWork> = { organization, room, guest: id, state }
  await withdraw(db, GUEST_QUEUE, id, done)
}

/** A guest who is out. */
export interface PutOut {
  id: string
  room: RoomId
}

/** Who was put out since then, room by room; a page behind the one before. */
export async function listPutOut(
  db: Db,
  since: Date,
  { limit, after }: { limit: number; after: PutOut | undefined },
): Promise<PutOut[]> {
  const behind = after ? sql`(room_id, id) > (${after.room}, ${after.id})` : sql`true`
  const { rows } = await sql<{ id: string; room: string }>`
    select id, room_id as room from guests
    where state in ('denied', 'left', 'expired') and since > ${since} and ${behind}
    order by room_id, id limit ${limit}`.execute(db)
  return rows.map(({ id, room }) => ({ id, room: trusted.roomId(room) }))
}

/** Deletes guests who have been out for long. */
export async function purgeGuests(db: Db, before: Date): Promise<void> {
  await sql`
    delete from guests where state in ('denied', 'left', 'expired') and since < ${before}
      and expires_at < ${before}`.execute(db)
}
