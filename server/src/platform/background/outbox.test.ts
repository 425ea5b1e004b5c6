import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, expectTypeOf, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../tests/fresh-database.ts'
import type { Db, Tx } from '../database/database.ts'
import { transaction } from '../database/transaction.ts'
import { appendEvent, growOutbox, lastPartition, type OutboxEvent, readOutboxBacklog } from './outbox.ts'

let database: FreshDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())
beforeEach(() => database.pool.query('delete from centrifugo_outbox'))

const event = {
  id: 'event-1',
  type: 'status.changed',
  time: new Date('2026-11-21T12:00:00Z'),
  data: { userId: 'user_1', status: 'away' },
  to: { scope: 'status', user: 'u' },
  orderingKey: 'user_1',
} as const satisfies OutboxEvent

/** Past the compiler, as data from elsewhere would come. */
function appended(whatever: object): Promise<void> {
  return transaction(database.db, (tx) => appendEvent(tx, 'o', whatever as OutboxEvent))
}

async function rows(): Promise<{ method: string; payload: unknown; partition: number }[]> {
  return database.db
    .selectFrom('centrifugo_outbox')
    .select(['method', 'payload', 'partition'])
    .orderBy('id')
    .execute()
}

describe('the outbox', () => {
  it('says how much waits, up to so much, and for how long the oldest of it has waited', async () => {
    expect(await readOutboxBacklog(database.db)).toEqual({ pending: 0, oldestSeconds: 0 })
    await database.pool.query(`insert into centrifugo_outbox (method, payload, partition, created_at)
      select 'publish', '{}', n % 4, now() - make_interval(secs => 10 * n) from generate_series(12, 1, -1) n`)
    const { pending, oldestSeconds } = await readOutboxBacklog(database.db)
    expect(pending).toBe(12)
    expect(oldestSeconds).toBeGreaterThanOrEqual(120)
    expect(oldestSeconds).toBeLessThan(240)
    expect(await readOutboxBacklog(database.db, 5)).toMatchObject({ pending: 5 })
  })

  it('is asked at a cost that does not grow with what waits', async () => {
    await database.pool.query(`insert into centrifugo_outbox (method, payload, partition)
      select 'publish', '{}', n % 4 from generate_series(1, 20000) n`)
    const read = async () => {
      await database.pool.query('select pg_stat_force_next_flush()')
      const { rows } = await database.pool.query(
        `select seq_tup_read + coalesce(idx_tup_fetch, 0) as read from pg_stat_user_tables where relname = 'centrifugo_outbox'`,
      )
      return Number(rows[0].read)
    }
    const before = await read()
    // statistics belong to a connection, and are told when it is at rest
    await database.db.connection().execute(async (db) => {
      await readOutboxBacklog(db, 100)
      await sql`select pg_stat_force_next_flush()`.execute(db)
    })
    await expect.poll(async () => (await read()) - before).toBeGreaterThan(0)
    expect((await read()) - before).toBeLessThan(1_000)
  })

  it('holds an event for one channel as the broker’s publish command', async () => {
    await transaction(database.db, (tx) => appendEvent(tx, 'o', { ...event, version: 7, versionEpoch: 'e' }))
    expect(await rows()).toEqual([
      {
        method: 'publish',
        payload: {
          channel: 'status:o:u',
          data: {
            id: 'event-1',
            type: 'status.changed',
            time: '2026-11-21T12:00:00.000Z',
            data: { userId: 'user_1', status: 'away' },
          },
          idempotency_key: 'event-1',
          version: 7,
          version_epoch: 'e',
        },
        partition: expect.any(Number),
      },
    ])
  })

  it('holds an event for several channels as one broadcast, each channel once', async () => {
    await transaction(database.db, (tx) =>
      appendEvent(tx, 'o', { ...event, to: { scope: 'user', users: ['a', 'b', 'a'] } }),
    )
    const [row] = await rows()
    expect(row).toMatchObject({ method: 'broadcast', payload: { channels: ['user:o:a', 'user:o:b'] } })
    expect(row?.payload).not.toHaveProperty('version')
  })

  it('holds nothing for no channel', async () => {
    await transaction(database.db, (tx) =>
      appendEvent(tx, 'o', { ...event, to: { scope: 'user', users: [] } }),
    )
    expect(await rows()).toEqual([])
  })

  it('keeps what one key appends in one partition and uses them all', async () => {
    await transaction(database.db, async (tx) => {
      for (let user = 0; user < 40; user++) {
        const orderingKey = `user_${user}`
        await appendEvent(tx, 'o', { ...event, orderingKey })
        await appendEvent(tx, 'o', { ...event, id: `second_${user}`, orderingKey })
      }
    })
    const appended = await rows()
    for (let at = 0; at < appended.length; at += 2)
      expect(appended[at]?.partition).toBe(appended[at + 1]?.partition)
    const used = new Set(appended.map((row) => row.partition))
    expect([...used].sort()).toEqual([0, 1, 2, 3])
  })

  it('keeps its partitions from release to release', async () => {
    // changing these would let an old and a new node disturb each other's order
    await transaction(database.db, async (tx) => {
      for (const orderingKey of ['user_1', 'user_2', 'org_1'])
        await appendEvent(tx, 'o', { ...event, orderingKey })
    })
    expect((await rows()).map((row) => row.partition)).toEqual([0, 0, 1])
  })

  it('has more of them where a node is set to more, and never fewer', async () => {
    try {
      for (const partitions of [8, 2]) await growOutbox(database.connectionString, partitions)
      expect(await lastPartition(database.db, 'a')).toMatchObject({ partitions: 8 })
      const { key } = await lastPartition(database.db, 'user')
      await transaction(database.db, (tx) => appendEvent(tx, 'o', { ...event, orderingKey: key }))
      expect(await rows()).toMatchObject([{ partition: 7 }])
      await database.pool.query(`insert into centrifugo_outbox (method, payload, partition, created_at)
        values ('publish', '{}', 6, now() - interval '90 seconds')`)
      const { pending, oldestSeconds } = await readOutboxBacklog(database.db)
      expect([pending, Math.round(oldestSeconds / 10)]).toEqual([2, 9])
      expect(await growOutbox(database.connectionString, 65).catch(String)).toContain('partitions_check')
    } finally {
      await database.pool.query('update outbox_partitions set partitions = default')
    }
  })

  it('forgets what a rolled back transaction appended', async () => {
    const failed = transaction(database.db, async (tx) => {
      await appendEvent(tx, 'o', event)
      throw new Error('no')
    })
    await expect(failed).rejects.toThrow('no')
    expect(await rows()).toEqual([])
  })

  it('refuses an event that the contract does not declare', async () => {
    await expect(appended({ ...event, type: 'tested' })).rejects.toThrow('tested is not declared')
    await expect(appended({ ...event, data: { userId: 1, status: 'away' } })).rejects.toThrow('/userId')
    await expect(appended({ ...event, data: { ...event.data, note: 'x' } })).rejects.toThrow('/note')
    // what only the person themselves may see
    const hidden = { ...event, data: { userId: 'user_1', status: 'appear_offline' } }
    await expect(appended(hidden)).rejects.toThrow('/status')
    await expect(appended({ ...event, to: { scope: 'organization' } })).rejects.toThrow('channel org:o')
    expect(await rows()).toEqual([])
  })

  it('does not compile with an event that the contract does not declare', () => {
    expectTypeOf({ ...event, type: 'tested' as const }).not.toExtend<OutboxEvent>()
    expectTypeOf({ ...event, type: 'guest.left' as const }).not.toExtend<OutboxEvent>()
    expectTypeOf({ ...event, data: { userId: 1, status: 'away' as const } }).not.toExtend<OutboxEvent>()
    const toOrganization = { ...event, to: { scope: 'organization' as const } }
    expectTypeOf(toOrganization).not.toExtend<OutboxEvent>()
  })

  it('cannot be appended to outside a transaction', () => {
    expectTypeOf<Db>().not.toExtend<Tx>()
  })

  it('says which partition changed when the transaction commits', async () => {
    const listener = await database.pool.connect()
    const heard = new Promise<string | undefined>((resolve) =>
      listener.once('notification', ({ payload }) => resolve(payload)),
    )
    try {
      await listener.query('listen centrifugo_partition_change')
      await transaction(database.db, (tx) => appendEvent(tx, 'o', event))
      const [row] = await rows()
      expect(await heard).toBe(String(row?.partition))
    } finally {
      listener.release(true)
    }
  })
})
