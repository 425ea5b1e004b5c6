import type { PoolClient, QueryResult } from 'pg'
import type { Pool } from '../database/database.ts'
import type { Log } from '../log.ts'
import { pause } from '../timing/pause.ts'
import { beginSpan, type Span, traceparentOf, within } from '../trace.ts'
import type { Notifications } from './notifications.ts'

export interface OutboxRelayOptions {
  pool: Pool
  notifications: Pick<Notifications, 'on' | 'isLive'>
  log: Pick<Log, 'warn' | 'error'>
  /**
   * Carries out one row. It has left the table for good when this returned and the batch was committed; a crash in
   * between hands it over again. What it throws is logged, and the row is dropped: it would never succeed.
   */
  dispatch(method: string, payload: unknown): void
  /** Asked before each batch: false leaves the rows to another relay. */
  mayRelay?(): boolean
}

export interface OutboxRelay {
  /** Resolves when the batch under way has ended. */
  stop(): Promise<void>
}

interface Row {
  id: string
  method: string
  payload: unknown
  traceparent: string | null
}

const BATCH_ROWS = 100
/** How long a row may wait when its notification is lost; and when there are no notifications. */
const POLL_MS = 2_000
const POLL_UNNOTIFIED_MS = 300
const RETRY_MS = { first: 50, last: 5_000 }
const CHANNEL = 'centrifugo_partition_change'
/** Distinct from the consumer of a real Centrifugo, which locks by a hash of its own name. */
const LOCK_CLASS = 1_635_021_418

/**
 * Hands the rows of the outbox over in order, partition by partition, as Centrifugo's own consumer does. Of several
 * relays on one table, one at a time works on a partition.
 */
export function startOutboxRelay(options: OutboxRelayOptions): OutboxRelay {
  const stopping = new AbortController()
  const queues = new Map<number, { wakeUp: WakeUpSignal; ended: Promise<void> }>()
  const wake = (partition: number) => {
    if (stopping.signal.aborted) return
    const known = queues.get(partition)
    if (known) return known.wakeUp.raise()
    const wakeUp = wakeUpSignal()
    queues.set(partition, { wakeUp, ended: relayPartition(options, partition, wakeUp, stopping.signal) })
  }
  // the one that there always is tells where nothing can be read
  wake(0)
  options.notifications.on(CHANNEL, (payload) => wake(Number(payload)))
  const looking = lookAgain(options, wake, stopping.signal)
  return {
    async stop() {
      stopping.abort()
      for (const { wakeUp } of queues.values()) wakeUp.raise()
      await Promise.all([...[...queues.values()].map(({ ended }) => ended), looking])
    },
  }
}

async function relayPartition(
  options: OutboxRelayOptions,
  partition: number,
  wakeUp: WakeUpSignal,
  stopping: AbortSignal,
): Promise<void> {
  let failures = 0
  while (!stopping.aborted) {
    wakeUp.clear()
    try {
      const handedOver = options.mayRelay?.() === false ? 0 : await relayBatch(options, partition)
      failures = 0
      if (handedOver === BATCH_ROWS) continue
    } catch (error) {
      failures += 1
      // once per outage
      if (failures === 1) options.log.warn({ err: error, partition }, 'the outbox cannot be read')
      await pause(Math.min(RETRY_MS.first * 2 ** (failures - 1), RETRY_MS.last), stopping)
      continue
    }
    await wakeUp.raised()
  }
}

/** Wakes the partitions with a lost notification: one question for all, because there is hardly ever one. */
async function lookAgain(
  { pool, notifications }: OutboxRelayOptions,
  wake: (partition: number) => void,
  stopping: AbortSignal,
): Promise<void> {
  while (!stopping.aborted) {
    // each partition tells of an outage, and tries again, by itself
    for (const partition of await partitionsWithRows(pool).catch(() => [0])) wake(partition)
    await pause(notifications.isLive() ? POLL_MS : POLL_UNNOTIFIED_MS, stopping)
  }
}

async function partitionsWithRows(pool: Pool): Promise<number[]> {
  const { rows } = await pool.query<{ partition: number }>(
    `select known.partition from outbox_partitions cross join generate_series(0, partitions - 1) as known (partition)
      where exists (select from centrifugo_outbox o where o.partition = known.partition)`,
  )
  return rows.map(({ partition }) => partition)
}

/** @returns how many rows left the table */
async function relayBatch({ pool, dispatch, log }: OutboxRelayOptions, partition: number): Promise<number> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    const won = await beginAlone(client, partition)
    const { rows } = won
      ? await client.query<Row>(
          'select id, method, payload, traceparent from centrifugo_outbox where partition = $1 order by id limit $2',
          [partition, BATCH_ROWS],
        )
      : { rows: [] }
    for (const { id, method, payload, traceparent } of rows) {
      const span = spanOf(method, traceparent)
      try {
        within(span, () => dispatch(method, payload))
        span?.end()
      } catch (error) {
        span?.end(error)
        log.error({ err: error, id, method }, 'a row of the outbox is unusable and was dropped')
      }
    }
    if (rows.length > 0)
      await client.query('delete from centrifugo_outbox where id = any($1)', [rows.map(({ id }) => id)])
    await client.query('commit')
    return rows.length
  } catch (error) {
    broken = error as Error
    throw error
  } finally {
    // a connection in an unknown state does not go back to the pool; its transaction ends with it
    client.release(broken)
  }
}

/** Of an event with a traced beginning. */
function spanOf(method: string, traceparent: string | null): Span | undefined {
  const parent = traceparentOf(traceparent)
  return parent === undefined ? undefined : beginSpan({ name: `broker ${method}`, kind: 'producer' }, parent)
}

/**
 * Begins a transaction and asks for the partition, in one journey. Each is a statement of its own: what another relay
 * has just deleted must be gone from the snapshot of the next one. The commit waits for no disk: a removal that a
 * crash of the database undoes is a row that is handed over twice, never one that is lost.
 */
async function beginAlone(client: PoolClient, partition: number): Promise<boolean> {
  const answers = await client.query<{ won: boolean }>(
    `begin; set local synchronous_commit = off; select pg_try_advisory_xact_lock(${LOCK_CLASS}, ${partition}) as won`,
  )
  const [, , lock] = answers as unknown as [unknown, unknown, QueryResult<{ won: boolean }>]
  return lock.rows[0]?.won ?? false
}

interface WakeUpSignal {
  raise(): void
  /** Forgets that it was raised. */
  clear(): void
  /** Resolves when it is raised, or was since `clear`. */
  raised(): Promise<void>
}

function wakeUpSignal(): WakeUpSignal {
  let isRaised = false
  let wake: (() => void) | undefined
  return {
    raise() {
      isRaised = true
      wake?.()
    },
    clear() {
      isRaised = false
    },
    async raised() {
      if (isRaised) return
      await new Promise<void>((resolve) => {
        wake = resolve
      })
      wake = undefined
    },
  }
}
