import { sql } from 'kysely'
import type { Db } from './database.ts'

/** What a database server says of itself. */

/** Its clock, at the moment of the answer. */
export async function serverTime(db: Db): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(db)
  if (!rows[0]) throw new Error('the database has no time')
  return rows[0].at
}

/** @returns why it takes no writes; undefined where it does */
export async function whyReadOnly(db: Db): Promise<'standby' | 'read-only' | undefined> {
  const { rows } = await sql<{ standby: boolean; readOnly: boolean }>`
    select pg_is_in_recovery() as standby,
      current_setting('transaction_read_only') = 'on' as "readOnly"`.execute(db)
  if (rows[0]?.standby) return 'standby'
  return rows[0]?.readOnly ? 'read-only' : undefined
}

/** How many times as dear as reading on its planner takes a look-up to be. */
export async function readLookupCost(db: Db): Promise<number> {
  const { rows } = await sql<{ cost: number }>`
    select current_setting('random_page_cost')::float8
      / greatest(current_setting('seq_page_cost')::float8, 0.01) as cost`.execute(db)
  if (!rows[0]) throw new Error('the database says nothing of itself')
  return rows[0].cost
}

export interface ConnectionRoom {
  /** Connections that all nodes may have together, by the limits of server, database and user. */
  room: number
  /** Nodes that run: each has one connection for notifications. */
  nodes: number
}

export async function readConnectionRoom(db: Db): Promise<ConnectionRoom> {
  const { rows } = await sql<{
    all: number
    others: number
    nodes: number
    ofDatabase: number
    ofUser: number
  }>`
    select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
        - coalesce(current_setting('reserved_connections', true)::int, 0) as all,
      (select count(*)::int from pg_stat_activity where datname is not null and pid <> pg_backend_pid()
        and not (datname = current_database() and coalesce(application_name, '') like 'atrium%')) as others,
      (select count(*)::int from pg_stat_activity
        where datname = current_database() and application_name = 'atrium notifications') as nodes,
      (select datconnlimit from pg_database where datname = current_database()) as "ofDatabase",
      (select rolconnlimit from pg_roles where rolname = current_user) as "ofUser"`.execute(db)
  const [row] = rows
  if (!row) throw new Error('the database says nothing of itself')
  // -1: no limit
  const limits = [row.all - row.others, ...[row.ofDatabase, row.ofUser].filter((limit) => limit >= 0)]
  return { room: Math.max(0, Math.min(...limits)), nodes: row.nodes }
}

export interface Replication {
  /** The same for a primary and its standbys. */
  system: string
  isStandby: boolean
  /** Of a standby: how long ago the last transaction was committed that it shows, where it has received more. */
  secondsBehind: number
}

export async function readReplication(db: Db): Promise<Replication> {
  const { rows } = await sql<Replication>`
    select (select system_identifier::text from pg_control_system()) as system, pg_is_in_recovery() as "isStandby",
      case when pg_last_wal_replay_lsn() < pg_last_wal_receive_lsn()
        then coalesce(extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()), 0) else 0 end::float8
        as "secondsBehind"`.execute(db)
  if (!rows[0]) throw new Error('the database says nothing of itself')
  return rows[0]
}

export interface OpenTransaction {
  /** Of this transaction and no other one: its process, and the moment at which it began. */
  id: string
  /** The server's process that has it open. */
  process: number
  /** The name that the program at the other end gives itself; empty where it gives none. */
  program: string
}

/**
 * The transactions that are open in this database, whichever node or program began them. Those of other database users
 * are seen by a user with `pg_read_all_stats` alone.
 */
export async function listOpenTransactions(db: Db): Promise<OpenTransaction[]> {
  const { rows } = await sql<OpenTransaction>`
    select pid || ' ' || xact_start as id, pid as process, coalesce(application_name, '') as program
    from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and xact_start is not null
      and pid <> pg_backend_pid()
    order by xact_start`.execute(db)
  return rows
}
