import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { checkEvents } from '../src/platform/background/outbox.ts'
import { type Db, openDatabase, openPool } from '../src/platform/database/database.ts'
import { settledWithin } from '../src/platform/timing/pause.ts'
import { requireDeclared } from './run/declared-events.ts'

export interface FreshDatabase {
  connectionString: string
  db: Db
  pool: pg.Pool
  /** Ends `db` and deletes the database, with connections that still stand. */
  drop(): Promise<void>
}

/** Any number; the same in every worker of a run. */
const CLONE_LOCK = 7_261

/** A database of its own with every migration applied and no rows. One per test file, or per test that needs it empty. */
export async function freshDatabase(): Promise<FreshDatabase> {
  checkEvents(requireDeclared)
  const name = `test_${randomBytes(6).toString('hex')}`
  await asAdmin(async (admin) => {
    // a template cannot be cloned twice at the same time; copying files costs half of going through the log
    await admin.query('select pg_advisory_lock($1)', [CLONE_LOCK])
    await admin.query(`create database ${name} template ${inject('templateDatabase')} strategy file_copy`)
  })
  const url = new URL(inject('adminConnectionString'))
  url.pathname = `/${name}`
  const { db, pool, end } = openTestPool(url.href)
  const drop = async () => {
    await end()
    // bounded: a test that failed may have kept a connection
    if (!pool.ending) await settledWithin(1_000, pool.end())
    await asAdmin((admin) => admin.query(`drop database if exists ${name} with (force)`))
  }
  return { connectionString: url.href, db, pool, drop }
}

/** Connections of a test to a database that has been migrated. */
export function openTestPool(connectionString: string) {
  const pool = openPool({
    connectionString,
    maxConnections: 10,
    // a busy machine lets both wait
    acquireWithinMs: 240_000,
    statementTimeoutMs: 240_000,
    onIdleError: () => {}, // tests cut connections on purpose
  })
  const end = async () => {
    // bounded: a test that failed may have kept a connection
    if (!pool.ending) await settledWithin(1_000, pool.end())
  }
  return { pool, db: openDatabase(pool), end }
}

async function asAdmin(work: (admin: pg.Client) => Promise<unknown>): Promise<void> {
  const admin = new pg.Client({ connectionString: inject('adminConnectionString') })
  await admin.connect()
  try {
    await work(admin)
  } finally {
    await admin.end()
  }
}
