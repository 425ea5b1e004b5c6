import type { DeliveryState } from '@atrium/contract'
import { type Generated, type GeneratedAlways, type Selectable, sql } from 'kysely'
import type { Range } from '../../platform/cursor-page.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { deleteInPieces } from '../../platform/database/delete-in-pieces.ts'
import type { RowId } from '../../platform/ids.ts'

declare module '../../platform/database/database.ts' {
  interface Tables {
    webhook_deliveries: DeliveryColumns
  }
}

interface DeliveryColumns {
  id: GeneratedAlways<string>
  organization_id: string
  webhook_id: string
  event_id: string
  event: string
  /** As it was published. */
  time: string
  data: unknown
  created_at: Date
  queued_at: Date
  attempts: Generated<number>
  state: Generated<DeliveryState>
  /** HTTP status of the last answer. */
  status: number | null
}

export type DeliveryRow = Selectable<DeliveryColumns>

/** @returns undefined where it was deleted with its webhook, or too old to be kept */
export async function findDelivery(db: Db, id: string): Promise<DeliveryRow | undefined> {
  return await db.selectFrom('webhook_deliveries').selectAll().where('id', '=', id).executeTakeFirst()
}

/**
 * Notes down one attempt, and what became of it. What has come to its end stays so: a node that was slow to hear that another
 * one took the event over tells of no more than that it failed.
 */
export async function noteAttempt(
  db: Db,
  id: string,
  outcome: { state: DeliveryState; status: number | null },
): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set(({ eb }) => ({ ...outcome, attempts: eb('attempts', '+', 1) }))
    .where('id', '=', id)
    .$if(outcome.state !== 'delivered', (query) => query.where('state', '=', 'pending'))
    .execute()
}

/** It is not tried again. */
export async function giveUp(db: Db, id: string): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set({ state: 'failed' })
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .execute()
}

/** The receiver is told of it no more. */
export async function forgetDelivery(db: Db, id: string): Promise<void> {
  await db.deleteFrom('webhook_deliveries').where('id', '=', id).execute()
}

export async function listDeliveries(db: Db, webhook: string, range: Range): Promise<DeliveryRow[]> {
  const { olderThan, newerThan, oldestFirst, limit } = range
  const direction = oldestFirst ? 'asc' : 'desc'
  return await db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('webhook_id', '=', webhook)
    .$if(olderThan !== undefined, (query) =>
      query.where(sql<boolean>`(created_at, id) < (${olderThan?.at}::timestamptz, ${olderThan?.id}::bigint)`),
    )
    .$if(newerThan !== undefined, (query) =>
      query.where(sql<boolean>`(created_at, id) > (${newerThan?.at}::timestamptz, ${newerThan?.id}::bigint)`),
    )
    .orderBy('created_at', direction)
    .orderBy('id', direction)
    .limit(limit)
    .execute()
}

/** Each delivery sent again holds a lock on its subject, and PostgreSQL has room for a few thousand locks. */
const AGAIN_MAX = 1_000

/**
 * Has deliveries sent again, in the order in which their events happened.
 * @param id of one, in every state but waiting; undefined: the oldest that have failed, as many as one
 *   transaction may hold the subjects of
 * @returns how many
 */
export async function queueAgain(
  tx: Tx,
  webhook: string,
  id: string | undefined,
  now: Date,
): Promise<number> {
  const isMeant =
    id === undefined
      ? sql`id in (
        select id from webhook_deliveries where webhook_id = ${webhook} and state = 'failed' order by id limit ${AGAIN_MAX})`
      : sql`id = ${id}::bigint and state <> 'pending'`
  const { rows } = await sql`
    with again as (
      update webhook_deliveries set state = 'pending', attempts = 0, status = null, queued_at = ${now}
      where webhook_id = ${webhook} and ${isMeant} returning webhook_deliveries as delivery, id
    )
    select enqueue_webhook_delivery(delivery) from (select * from again order by id) again`.execute(tx)
  return rows.length
}

export async function hasDelivery(db: Db, webhook: string, id: RowId): Promise<boolean> {
  const row = await db
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('webhook_id', '=', webhook)
    .where('id', '=', id)
    .executeTakeFirst()
  return row !== undefined
}

/** Forgets events that happened before that, delivered or not. */
export async function purgeDeliveries(db: Db, before: Date): Promise<void> {
  await deleteInPieces(db, 'webhook_deliveries', sql`created_at < ${before}`)
}
