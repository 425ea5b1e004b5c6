import { type Generated, sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { trusted, type UserId } from '../../platform/ids.ts'
import type { MeetingTimes } from './timeline.ts'

declare module '../../platform/database/database.ts' {
  interface Tables {
    presence_meetings: {
      user_id: string
      times: Generated<unknown>
      read_next_at: Date | null
      change_at: Date | null
    }
  }
}

/** A member with calendars to be read. */
export interface ToRead {
  user: UserId
  /** As they stand now: both are others once a calendar was connected or disconnected. */
  readNextAt: Date
  changeAt: Date | null
}

/** Members who have chosen that meetings show, are there, and have calendars that were not read for some time. */
export async function listToRead(db: Db, now: Date, limit: number): Promise<ToRead[]> {
  const { rows } = await sql<{ id: string; readNextAt: Date; changeAt: Date | null }>`
    select m.user_id as id, m.read_next_at as "readNextAt", m.change_at as "changeAt" from presence_meetings m
    where m.read_next_at <= ${now}
      and exists (select from presence p where p.user_id = m.user_id and p.status <> 'offline')
    order by m.read_next_at limit ${limit}`.execute(db)
  return rows.map(({ id, ...due }) => ({ user: trusted.userId(id), ...due }))
}

/**
 * Takes in what was read; what could not be read stays as it was. Nothing for members who have chosen otherwise
 * meanwhile, or have connected a calendar or disconnected one: the next round reads theirs again.
 */
export async function saveMeetings(
  db: Db,
  { user, readNextAt, changeAt }: ToRead,
  read: { times: MeetingTimes; at: Date; next: Date },
): Promise<void> {
  await sql`
    update presence_meetings set times = times || ${JSON.stringify(read.times)}::jsonb,
      change_at = ${read.at}, read_next_at = ${read.next}
    where user_id = ${user} and read_next_at = ${readNextAt}
      and change_at is not distinct from ${changeAt}::timestamptz`.execute(db)
}

export interface DueMeetings {
  user: UserId
  times: MeetingTimes
  changeAt: Date
}

/** Those for whom a meeting begins or ends by now, or of whom something else was read. */
export async function listChanging(db: Db, now: Date, limit: number): Promise<DueMeetings[]> {
  const { rows } = await sql<{ id: string; times: MeetingTimes; changeAt: Date }>`
    select user_id as id, times, change_at as "changeAt" from presence_meetings
    where change_at <= ${now} order by change_at limit ${limit}`.execute(db)
  return rows.map(({ id, ...due }) => ({ user: trusted.userId(id), ...due }))
}

/** Unless something else was read meanwhile. */
export async function setNextChange(
  db: Db,
  { user, changeAt }: DueMeetings,
  next: Date | null,
): Promise<void> {
  await db
    .updateTable('presence_meetings')
    .set({ change_at: next })
    .where('user_id', '=', user)
    .where('change_at', '=', changeAt)
    .execute()
}
