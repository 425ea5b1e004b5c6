import { type ColumnType, type Generated, type GeneratedAlways, sql } from 'kysely'
import type { Db } from '../database/database.ts'
import type { OrganizationId } from '../ids.ts'
import { currentTraceparent } from '../trace.ts'

declare module '../database/database.ts' {
  interface Tables {
    work_items: {
      id: GeneratedAlways<string>
      queue: string
      class: Generated<string>
      /** The organization in the fair order of turns; 0: none. */
      organization_id: Generated<string>
      key: string | null
      subject: string | null
      payload: ColumnType<unknown, string, string>
      created_at: Date
      expires_at: Date | null
      /** Of an item that is being worked on: the end of the lease. */
      run_at: Date
      attempts: Generated<number>
      revision: Generated<string>
      lease: string | null
      last_error: string | null
      dead_at: Date | null
      /** The step of a trace that it was enqueued by. */
      traceparent: string | null
    }
  }
}

/** What `LISTEN` hears when something was enqueued; the payload names the queue. */
export const ENQUEUED_CHANNEL = 'work_enqueued'

/** The class of items that name none. */
const DEFAULT_CLASS = 'default'

/** Something to do in the background. */
export interface NewWork {
  queue: string
  /** One of the queue's `lanes`. */
  class?: string
  /** Organizations take turns; without one, all items of the class wait in one line. */
  organization?: OrganizationId
  /**
   * The queue has one item of this key at most. Enqueued again, it gets the new payload and counts as new; if a worker
   * is at it at that moment, it is done once more.
   */
  key?: string
  /**
   * Items of one subject are done one at a time, in the order in which they were enqueued; they have no `key`. Until
   * the transaction ends, no other transaction enqueues for the subject or ends an item of it: a transaction with
   * several subjects names them in a fixed order.
   */
  subject?: string
  /** JSON. Secrets are sealed before. */
  payload: unknown
  now: Date
  /** Not before this; at once where it is left out. */
  runAt?: Date
  /** It is dropped where it has not been begun by then. */
  expiresAt?: Date
}

/** Adds items; in a transaction they are there when it commits, or never. */
export async function enqueue(db: Db, ...work: readonly NewWork[]): Promise<void> {
  if (work.length === 0) return
  const rows = work.map((one) => ({
    queue: one.queue,
    class: one.class ?? DEFAULT_CLASS,
    organization: one.organization ?? '0',
    key: one.key,
    subject: one.subject,
    payload: one.payload,
    at: one.now,
    run: one.runAt ?? one.now,
    expires: one.expiresAt,
  }))
  const traceparent = currentTraceparent()
  // the default of the column reads it, until the transaction ends: so do items that triggers enqueue
  const noted = traceparent ? sql`set_config('atrium.traceparent', ${traceparent}, true), ` : sql``
  await sql`
    select ${noted}enqueue_work(queue, class, organization, key, subject, payload, at, run, expires)
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as (queue text, class text, organization bigint, key text,
      subject text, payload jsonb, at timestamptz, run timestamptz, expires timestamptz)`.execute(db)
}

/** Whether an item waits, is being worked on, or was given up. */
export async function isEnqueued(db: Db, queue: string, key: string): Promise<boolean> {
  const row = await db
    .selectFrom('work_items')
    .select('id')
    .where('queue', '=', queue)
    .where('key', '=', key)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * There is nothing left to do. A worker that holds the item is not interrupted.
 * @param payload where given, only an item that still has it is withdrawn
 */
export async function withdraw(db: Db, queue: string, key: string, payload?: unknown): Promise<void> {
  const isThisOne =
    payload === undefined ? sql<boolean>`true` : sql<boolean>`payload = ${JSON.stringify(payload)}::jsonb`
  await db
    .deleteFrom('work_items')
    .where('queue', '=', queue)
    .where('key', '=', key)
    .where(isThisOne)
    .execute()
}

/**
 * What waits for its time is due now: the first items of subjects with this beginning of their name. Workers are not
 * interrupted.
 */
export async function bringForward(
  db: Db,
  { queue, organization, subjects }: { queue: string; organization: OrganizationId; subjects: string },
  now: Date,
): Promise<void> {
  await sql`
    with due as (
      update work_items set run_at = ${now}
      where queue = ${queue} and organization_id = ${organization} and starts_with(subject, ${subjects})
        and lease is null and dead_at is null and run_at > ${now} and run_at < 'infinity'
      returning id
    )
    select pg_notify(${ENQUEUED_CHANNEL}, ${queue}) from due limit 1`.execute(db)
}

const LISTED = 500

/** All items of a queue, oldest first, in batches: those that wait, are worked on, or were given up. */
export async function* listWork(
  db: Db,
  queue: string,
): AsyncIterable<{ id: string; payload: unknown; createdAt: Date; expiresAt: Date | undefined }[]> {
  let after = '0'
  for (;;) {
    const rows = await db
      .selectFrom('work_items')
      .select(['id', 'payload', 'created_at', 'expires_at'])
      .where('queue', '=', queue)
      .where('id', '>', after)
      .orderBy('id')
      .limit(LISTED)
      .execute()
    yield rows.map(({ id, payload, created_at, expires_at }) => {
      return { id, payload, createdAt: created_at, expiresAt: expires_at ?? undefined }
    })
    after = rows.at(-1)?.id ?? after
    if (rows.length < LISTED) return
  }
}

/** Deletes these items. A worker that holds one is not interrupted. */
export async function deleteWork(db: Db, ids: readonly string[]): Promise<void> {
  await sql`delete from work_items where id = any(${ids}::bigint[])`.execute(db)
}

/** An item held by a worker. */
export interface ClaimedItem {
  id: string
  organizationId: string
  payload: unknown
  createdAt: Date
  expiresAt: Date | null
  /** This one included. */
  attempts: number
  revision: string
  lease: string
  traceparent: string | null
}

/** Which item is next. */
export interface Turn {
  queue: string
  class: string
  /** The organization that was served last; its successor is next, and after the last one the first again. */
  lastServed: string
}

/**
 * Takes the next due item, for as long as the lease. A statement of its own: no transaction is open while it is worked
 * on. `extendLease` shows whether the lease still counts.
 */
export async function claimNext(
  db: Db,
  turn: Turn,
  { lease, now, until }: { lease: string; now: Date; until: Date },
): Promise<ClaimedItem | undefined> {
  const dueAfter = (organization: string) => sql`(
    select id from work_items
    where queue = ${turn.queue} and class = ${turn.class} and organization_id > ${organization}::bigint
      and run_at <= ${now} and dead_at is null
    order by organization_id, run_at, id limit 1 for update skip locked
  )`
  const { rows } = await sql<ClaimedItem>`
    update work_items set attempts = attempts + 1, lease = ${lease}::uuid, run_at = ${until}
    where id = coalesce(${dueAfter(turn.lastServed)}, ${dueAfter('-1')})
    returning id, organization_id as "organizationId", payload, created_at as "createdAt",
      expires_at as "expiresAt", attempts, revision, lease, traceparent`.execute(db)
  return rows[0]
}

/** Those classes of queues, named one after the other, of which an item is due. */
export async function classesDue(
  db: Db,
  classes: readonly { queue: string; class: string }[],
  now: Date,
): Promise<{ queue: string; class: string }[]> {
  const { rows } = await sql<{ queue: string; class: string }>`
    select known.queue, known.class
    from unnest(${classes.map(({ queue }) => queue)}::text[], ${classes.map((one) => one.class)}::text[])
      as known (queue, class)
    where exists (select from work_items item where item.queue = known.queue and item.class = known.class
      and item.run_at <= ${now} and item.dead_at is null)`.execute(db)
  return rows
}

type Held = Pick<ClaimedItem, 'id' | 'lease'>

/** @returns false where another worker has it by now, or it was withdrawn */
export async function extendLease(db: Db, { id, lease }: Held, until: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('work_items')
    .set({ run_at: until })
    .where('id', '=', id)
    .where('lease', '=', lease)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** It is done. Where it was renewed meanwhile, it is due again. */
export async function finish(db: Db, item: Held & { revision: string }, now: Date): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('work_items')
    .where('id', '=', item.id)
    .where('lease', '=', item.lease)
    .where('revision', '=', item.revision)
    .executeTakeFirst()
  if (numDeletedRows === 0n) await release(db, item, { runAt: now })
}

export interface Release {
  runAt: Date
  attempts?: number
  lastError?: string
  /** It was given up. */
  deadAt?: Date
}

/** It is free, and due at `runAt`; at once where it was renewed meanwhile. */
export async function release(
  db: Db,
  { id, lease, revision }: Held & { revision: string },
  { runAt, attempts, lastError, deadAt }: Release,
): Promise<void> {
  await sql`
    update work_items set lease = null,
      run_at = case when revision = ${revision} then ${runAt}::timestamptz else created_at end,
      attempts = case when revision = ${revision} then coalesce(${attempts ?? null}::int, attempts) else 0 end,
      last_error = case when revision = ${revision} then coalesce(${lastError ?? null}, last_error) end,
      dead_at = case when revision = ${revision} then ${deadAt ?? null}::timestamptz end
    where id = ${id} and lease = ${lease}::uuid`.execute(db)
}
