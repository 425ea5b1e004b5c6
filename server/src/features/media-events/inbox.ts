import { type Generated, sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/database.ts'
import { deleteInPieces } from '../../platform/database/delete-in-pieces.ts'
import { traceparentOf } from '../../platform/trace.ts'
import type { MediaEvent } from '../../ports/media-events.ts'

declare module '../../platform/database/database.ts' {
  interface Tables {
    media_events: {
      event_id: string
      position: Generated<string>
      received_at: Date
      event: unknown
      processed_at: Date | null
      tell_at: Date | null
      /** Of nodes of the release before; nothing reads it here. */
      tell_attempts: Generated<number>
    }
  }
}

/** What `LISTEN` hears when events have come in. */
export const ARRIVALS_CHANNEL = 'media_events_arrived'

/** A verified event, as it waits in memory and then in the table. */
export interface Received {
  event: MediaEvent
  receivedAt: Date
  /** The step of a trace that brought it. */
  traceparent?: string | undefined
}

/**
 * Writes events down in their order. One that came already within the duplicate window is left out.
 * @returns how many were new
 */
export async function storeEvents(db: Db, received: readonly Received[], knownSince: Date): Promise<number> {
  const fresh = new Map<string, Received>()
  for (const one of received) if (!fresh.has(one.event.id)) fresh.set(one.event.id, one)
  const rows = [...fresh.values()].map(({ event, receivedAt, traceparent }) => ({
    id: event.id,
    at: receivedAt,
    event: traceparent ? { ...event, traceparent } : event,
  }))
  const { rows: written } = await sql`
    insert into media_events as stored (event_id, received_at, event)
    select given.id, given.at, given.event
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (id text, at timestamptz, event jsonb)
    on conflict (event_id) do update set
      position = excluded.position, received_at = excluded.received_at, event = excluded.event,
      processed_at = null, tell_at = null
      where stored.received_at <= ${knownSince} and stored.processed_at is not null
    returning event_id`.execute(db)
  return written.length
}

/** The oldest events that have not been worked on. */
export async function listUnprocessed(tx: Tx, limit: number): Promise<Received[]> {
  const rows = await tx
    .selectFrom('media_events')
    .select(['event', 'received_at'])
    .where('processed_at', 'is', null)
    .orderBy('position')
    .limit(limit)
    .execute()
  return rows.map(receivedOf)
}

/** Whether anything has come in that was not worked on. */
export async function hasUnprocessed(db: Db): Promise<boolean> {
  const first = db.selectFrom('media_events').select('position').where('processed_at', 'is', null).limit(1)
  return (await first.executeTakeFirst()) !== undefined
}

/** @param toTell ids of those that other features have to hear of */
export async function markProcessed(
  tx: Tx,
  ids: readonly string[],
  toTell: readonly string[],
  now: Date,
): Promise<void> {
  await sql`
    update media_events set processed_at = ${now},
      tell_at = case when event_id = any(${[...toTell]}::text[]) then ${now}::timestamptz end
    where event_id = any(${[...ids]}::text[])`.execute(tx)
}

/** Things that others have to hear of although no event told us: known already, and not to be worked on. */
export async function storeToTell(tx: Tx, found: readonly MediaEvent[], now: Date): Promise<void> {
  if (found.length === 0) return
  const rows = found.map((event) => ({ id: event.id, event }))
  await sql`
    insert into media_events (event_id, received_at, event, processed_at, tell_at)
    select given.id, ${now}, given.event, ${now}, ${now}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (id text, event jsonb)
    on conflict (event_id) do nothing`.execute(tx)
}

/** Events that others have to hear of now, in their order. */
export async function listUnreported(db: Db, now: Date, limit: number): Promise<Received[]> {
  const rows = await db
    .selectFrom('media_events')
    .select(['event', 'received_at'])
    .where('tell_at', '<=', now)
    .orderBy('position')
    .limit(limit)
    .execute()
  return rows.map(receivedOf)
}

function receivedOf(row: { event: unknown; received_at: Date }): Received {
  const { traceparent } = row.event as { traceparent?: unknown }
  return {
    event: reviveEvent(row.event),
    receivedAt: row.received_at,
    traceparent: traceparentOf(traceparent),
  }
}

/** Others have heard of it, or will by the work queue. */
export async function markTold(db: Db, id: string): Promise<void> {
  await db.updateTable('media_events').set({ tell_at: null }).where('event_id', '=', id).execute()
}

/** Deletes what is done with and older than the duplicate window. */
export async function purgeEvents(db: Db, before: Date): Promise<void> {
  const isDone = sql`received_at < ${before} and processed_at is not null and tell_at is null`
  await deleteInPieces(db, 'media_events', isDone)
}

const MOMENTS = new Set(['at', 'startedAt', 'endedAt', 'updatedAt', 'joinedAt'])

/** Moments are text in the table; what was undefined is not there. In place: it has just been read, for us alone. */
export function reviveEvent(stored: unknown): MediaEvent {
  revive(stored as Record<string, unknown>)
  return stored as MediaEvent
}

function revive(fields: Record<string, unknown>): void {
  for (const name in fields) {
    const value = fields[name]
    if (typeof value === 'string') {
      if (MOMENTS.has(name)) fields[name] = new Date(value)
    } else if (typeof value === 'object' && value !== null) revive(value as Record<string, unknown>)
  }
}
