import type { EventData, EventName, ScopeOfEvent } from '@atrium/contract'
import { channelsOf, type EventAddress } from '@atrium/contract/events'
import { type ColumnType, type GeneratedAlways, type RawBuilder, sql } from 'kysely'
import pg from 'pg'
import type { Db, Tx } from '../database/database.ts'

declare module '../database/database.ts' {
  interface Tables {
    centrifugo_outbox: {
      id: GeneratedAlways<string>
      method: string
      payload: ColumnType<unknown, string, never>
      partition: ColumnType<number, RawBuilder<number>, never>
      created_at: GeneratedAlways<Date>
      /** The step of a trace that it comes of. */
      traceparent: GeneratedAlways<string | null>
    }
    outbox_partitions: { partitions: number; single: boolean }
  }
}

/** An event that the contract declares: data and addressee are those of its name. */
export type OutboxEvent = { [Name in EventName]: EventOf<Name> }[EventName]

interface EventOf<Name extends EventName> {
  /** Unique to the event; also keeps a redelivery from being published twice. */
  id: string
  type: Name
  /** When it happened. */
  time: Date
  data: EventData<Name>
  /** Who receives it. No user at all: nothing is appended. */
  to: EventAddress<ScopeOfEvent<Name>>
  /** Events of one key keep their order, provided that the row they tell of was locked before they are appended. */
  orderingKey: string
  /** Revision of what the event tells of, from 1: a channel with history drops what is older than it has. */
  version?: number
  /** Set where revisions may begin again. */
  versionEpoch?: string
}

/** Throws where an event is not as the contract declares it. */
export type EventCheck = (event: { channels: readonly string[]; type: string; data: unknown }) => void

let checkEvent: EventCheck | undefined

/** For tests: from now on every event of this process is checked before it is appended. */
export function checkEvents(check: EventCheck): void {
  checkEvent = check
}

/**
 * Appends an event of an organization, named by the identity provider's id (`org_…`), that leaves when `tx` commits.
 * Its data reach clients as `{id, type, time, data}`.
 */
export async function appendEvent(tx: Tx, organization: string, event: OutboxEvent): Promise<void> {
  await appendEvents(tx, organization, [event])
}

/** Several of them at once, in their order. */
export async function appendEvents(
  tx: Tx,
  organization: string,
  events: readonly OutboxEvent[],
): Promise<void> {
  const rows = events.flatMap((event) => rowOf(organization, event) ?? [])
  if (rows.length > 0) await tx.insertInto('centrifugo_outbox').values(rows).execute()
}

function rowOf(organization: string, event: OutboxEvent) {
  const channels = channelsOf(organization, event.to)
  const [first] = channels
  if (first === undefined) return undefined
  checkEvent?.({ channels, type: event.type, data: event.data })
  const payload = {
    ...(channels.length === 1 ? { channel: first } : { channels }),
    data: { id: event.id, type: event.type, time: event.time.toISOString(), data: event.data },
    idempotency_key: event.id,
    version: event.version,
    version_epoch: event.versionEpoch,
  }
  return {
    method: channels.length === 1 ? 'publish' : 'broadcast',
    payload: JSON.stringify(payload),
    partition: partitionOf(event.orderingKey),
  }
}

/**
 * Takes back events that the broker has not taken and that contain one of these in their payload, as JSON does (`@>`).
 */
export async function withdrawEvents(db: Db, containing: readonly object[]): Promise<void> {
  const parts = containing.map((part) => JSON.stringify(part))
  await sql`
    delete from centrifugo_outbox
    where exists (select from unnest(${parts}::text[]) as part where payload @> part::jsonb)`.execute(db)
}

/** While the broker is away a million events may wait: they are not counted beyond this. */
const COUNTED_MAX = 100_000

/**
 * What the broker has not taken yet, and for how long the oldest of it has waited.
 * @param countedMax what waits beyond is not counted: what it costs to ask does not grow with an outage
 */
export async function readOutboxBacklog(
  db: Db,
  countedMax = COUNTED_MAX,
): Promise<{ pending: number; oldestSeconds: number }> {
  const { rows } = await sql<{ pending: number; oldestSeconds: number }>`
    select (select count(*) from (select from centrifugo_outbox limit ${countedMax}) counted)::int as pending,
      greatest(0, coalesce(extract(epoch from now() - min(first.created_at)), 0))::float8 as "oldestSeconds"
    from outbox_partitions cross join generate_series(0, partitions - 1) as known (partition)
      cross join lateral (
        select created_at from centrifugo_outbox o where o.partition = known.partition order by id limit 1) first`.execute(
    db,
  )
  return rows[0] ?? { pending: 0, oldestSeconds: 0 }
}

/** The queue that the events of one key are in. */
export const partitionOf = (orderingKey: string): RawBuilder<number> =>
  sql<number>`outbox_partition(${orderingKey})`

/**
 * Gives the outbox so many queues, each in order, where it has fewer: what waits in a queue would stay there if there
 * were less of them. An event that is appended at that very moment may overtake the one before it of its key.
 */
export async function growOutbox(connectionString: string, partitions: number): Promise<void> {
  const client = new pg.Client({ connectionString, application_name: 'atrium-outbox' })
  await client.connect()
  try {
    const { rows } = await client.query('select from outbox_partitions where partitions < $1', [partitions])
    // asked first: a database that is read only takes no change, not even one of no row
    if (rows.length > 0)
      await client.query('update outbox_partitions set partitions = $1 where partitions < $1', [partitions])
  } finally {
    await client.end()
  }
}

/** How many queues there are, and a key of the last one that begins so: a broker that reads fewer of them never gets there. */
export async function lastPartition(db: Db, start: string): Promise<{ partitions: number; key: string }> {
  const { rows } = await sql<{ partitions: number; key: string }>`
    select partitions, key from outbox_partitions
      cross join generate_series(1, 10000) n cross join lateral (select ${start}::text || n as key) keys
    where outbox_partition(key) = partitions - 1 limit 1`.execute(db)
  const [row] = rows
  if (!row) throw new Error('no key leads to the last partition')
  return row
}
