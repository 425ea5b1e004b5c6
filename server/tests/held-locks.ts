import type { PoolClient } from 'pg'
import type { TestOffice } from './office.ts'
import { until } from './until.ts'

/** What has a database: an office, or a test without one. */
type Place = Pick<TestOffice, 'database'>

/** A transaction of a test that keeps what it has locked until it is let go. */
export interface Holder {
  query(text: string, values?: readonly unknown[]): Promise<unknown>
  commit(): Promise<void>
  /** Undoes what it has done. Without effect once it has ended. */
  letGo(): Promise<void>
}

/** Begins a transaction beside the office, on a connection of its own, with a first statement that locks something. */
export async function hold(office: Place, text: string, values: readonly unknown[] = []): Promise<Holder> {
  const client: PoolClient = await office.database.pool.connect()
  let isOpen = true
  const end = async (how: 'commit' | 'rollback') => {
    if (!isOpen) return
    isOpen = false
    await client.query(how)
    client.release()
  }
  const query = (more: string, given: readonly unknown[] = []) => client.query(more, [...given])
  await client.query('begin')
  await query(text, values)
  return { query, commit: () => end('commit'), letGo: () => end('rollback') }
}

/** Waits until so many statements wait for locks of others. @returns their texts */
export async function untilBlocked(office: Place, count: number): Promise<string[]> {
  let blocked: string[] = []
  await until(async () => {
    const { rows } = await office.database.pool.query<{ query: string }>(
      `select query from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    blocked = rows.map(({ query }) => query)
    return blocked.length >= count
  })
  return blocked
}
