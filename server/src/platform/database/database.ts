import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import type pg from 'pg'
import { BoundedPool, noteFullDisk } from './bounded-pool.ts'
import { NamedStatementsClient } from './named-statements.ts'
import { withoutWaitingBudget } from './waiting-budget.ts'

/**
 * Every table of the product. Empty here: each owner adds its own tables by declaration merging
 * (`declare module '…/platform/database/database.ts' { interface Tables { … } }`), so that a table's
 * columns are written once, in the folder that owns it.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the owners of the tables
export interface Tables {}

/** A pool or a transaction, to run queries on. The first, required argument of every store function. */
export type Db = Kysely<Tables>
/** An open transaction: for functions that must not run outside one. */
export type Tx = Transaction<Tables>

/** Connections to one database, for statements that the query builder is not made for. */
export type Pool = pg.Pool

export interface DatabaseOptions {
  /** `postgres://…` of a PostgreSQL 15 or newer. */
  connectionString: string
  /** Largest number of connections of this pool. */
  maxConnections: number
  /** How long one statement may take, in milliseconds, before it is given up. */
  statementTimeoutMs: number
  /** How long a caller waits for a free connection, in milliseconds, before it is told that the database is away. */
  acquireWithinMs?: number
  /** Whether a request waits, within its time, for a server that takes no connections: one that is switched over does again. */
  awaitsServer?: boolean
  /** Settings of PostgreSQL that every connection begins with. */
  settings?: Readonly<Record<string, string>>
  /** Called with errors on idle connections (the server went away), which no query meets. */
  onIdleError: (error: Error) => void
}

/** Where nothing else is said. */
const ACQUIRE_WITHIN_MS = 2_000
/** The server gives up first; this is for a server that no longer answers at all. */
const SILENT_SERVER_GRACE_MS = 400

/** Opens a pool. Connections are made when first needed. bigint columns arrive as strings: no id loses digits. */
export function openPool(options: DatabaseOptions): Pool {
  const { settings } = options
  const poolOptions = {
    connectionString: options.connectionString,
    max: options.maxConnections,
    connectionTimeoutMillis: options.acquireWithinMs ?? ACQUIRE_WITHIN_MS,
    idleTimeoutMillis: 30_000,
    statement_timeout: options.statementTimeoutMs,
    query_timeout: options.statementTimeoutMs + SILENT_SERVER_GRACE_MS,
    idle_in_transaction_session_timeout: 15_000,
    keepAlive: true,
    application_name: 'atrium',
    Client: NamedStatementsClient,
    ...(options.awaitsServer && { awaitsServer: true }),
    ...(settings && { onConnect: (client: pg.ClientBase) => applySettings(client, settings) }),
  }
  const pool = new BoundedPool(poolOptions)
  pool.on('error', (error) => options.onIdleError(error))
  // The pool listens only while a connection is idle. One that is cut while a caller holds it fails the caller's next
  // statement; without a listener it would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined))
  noteFullDisk(pool)
  return pool
}

/** A connection is for the next caller: a request that is out of time while it is made must not take it along. */
async function applySettings(
  client: pg.ClientBase,
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  const text = 'select set_config(key, value, false) from jsonb_each_text($1)'
  await withoutWaitingBudget(() => client.query(text, [JSON.stringify(settings)]))
}

/** The query builder over a pool. Its `destroy()` ends the pool. */
export function openDatabase(pool: Pool): Db {
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
}
