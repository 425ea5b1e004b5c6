import { sql } from 'kysely'
import type { Db } from '../database/database.ts'

/** An item that was given up. Its payload is not told: it may be personal. */
export interface DeadItem {
  id: string
  queue: string
  class: string
  /** 0: of no organization. */
  organizationId: string
  attempts: number
  lastError: string | null
  createdAt: Date
  deadAt: Date
}

/** What was given up, newest first. */
export async function listDead(db: Db, limit: number): Promise<DeadItem[]> {
  const { rows } = await sql<DeadItem>`
    select id, queue, class, organization_id as "organizationId", attempts, last_error as "lastError",
      created_at as "createdAt", dead_at as "deadAt"
    from work_items where dead_at is not null order by dead_at desc, id desc limit ${limit}`.execute(db)
  return rows
}

/** How many items each queue has given up; queues without any are not named. */
export async function countDead(db: Db): Promise<{ queue: string; count: number }[]> {
  const { rows } = await sql<{ queue: string; count: number }>`
    select queue, count(*)::int as count from work_items where dead_at is not null
    group by queue order by queue`.execute(db)
  return rows
}

/** It is due again, as if it had never been tried. @returns false where no dead item has this id */
export async function retryDead(db: Db, id: string): Promise<boolean> {
  const { rows } = await sql`
    update work_items set dead_at = null, attempts = 0, last_error = null,
      -- behind whichever item of its subject is under way
      run_at = case when subject is null then date_trunc('milliseconds', now()) else 'infinity' end
    where id = ${id}::bigint and dead_at is not null
    returning pg_notify('work_enqueued', queue)`.execute(db)
  return rows.length > 0
}

/** @returns false where nothing was given up under this id */
export async function dropDead(db: Db, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('work_items')
    .where('id', '=', id)
    .where('dead_at', 'is not', null)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Deletes what was given up before. */
export async function purgeDead(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('work_items').where('dead_at', '<', before).execute()
}

/** How much of a class waits, and for how long. */
export interface WorkBacklog {
  queue: string
  class: string
  /** Not done yet: due, under way, or waiting to be tried again. */
  waiting: number
  /** For how long the item that is due for longest has not been begun; 0 where none is due. */
  oldestDueSeconds: number
  /** Age of the oldest item that waits, from when it was enqueued; 0 where none does. */
  oldestSeconds: number
  dead: number
}

/** Of every class that has items. */
export async function readWorkBacklog(db: Db, now: Date): Promise<WorkBacklog[]> {
  const { rows } = await sql<WorkBacklog>`
    select queue, class,
      count(*) filter (where dead_at is null)::int as waiting,
      count(dead_at)::int as dead,
      greatest(0, coalesce(extract(epoch from ${now}::timestamptz - min(run_at)
        filter (where dead_at is null and lease is null and run_at <= ${now})), 0))::float8 as "oldestDueSeconds",
      greatest(0, coalesce(extract(epoch from ${now}::timestamptz - min(created_at)
        filter (where dead_at is null)), 0))::float8 as "oldestSeconds"
    from work_items group by queue, class`.execute(db)
  return rows
}
