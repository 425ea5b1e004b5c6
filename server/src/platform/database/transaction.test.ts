import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase, openTestPool } from '../../../tests/fresh-database.ts'
import type { Tx } from './database.ts'
import { isDatabaseAway } from './database-errors.ts'
import { refuseInsideTransaction, transaction, transactionOnce } from './transaction.ts'

let database: FreshDatabase
beforeAll(async () => {
  database = await freshDatabase()
  await sql`create table notes (note text)`.execute(database.db)
})
afterAll(() => database.drop())

const notes = async () =>
  (await sql<{ note: string }>`select note from notes order by note`.execute(database.db)).rows.map(
    ({ note }) => note,
  )

/** The database behind a proxy that ends a connection in place of the answer to its commit. */
async function cutAtCommit(): Promise<{ url: string; close: () => void }> {
  const real = new URL(database.connectionString)
  const server = createServer((socket) => {
    const upstream = connect(Number(real.port), real.hostname)
    socket.on('error', () => undefined).pipe(upstream)
    upstream.on('data', (answer: Buffer) => {
      if (answer.includes('COMMIT')) socket.destroy()
      else socket.write(answer)
    })
    socket.on('close', () => upstream.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = Object.assign(new URL(real), { port: String((server.address() as AddressInfo).port) })
  return { url: url.href, close: () => server.close() }
}

describe('a transaction', () => {
  it('is kept when its work returns, and undone when it throws', async () => {
    const answer = await transaction(database.db, async (tx) => {
      await sql`insert into notes values ('kept')`.execute(tx)
      return 7
    })
    expect(answer).toBe(7)
    const failing = transaction(database.db, async (tx) => {
      await sql`insert into notes values ('undone')`.execute(tx)
      throw new Error('on purpose')
    })
    await expect(failing).rejects.toThrow('on purpose')
    expect(await notes()).toEqual(['kept'])
  })

  it('lets no call go outside while it is open', async () => {
    const call = async () => refuseInsideTransaction('mail.send')
    await call()
    await expect(transaction(database.db, call)).rejects.toThrow('mail.send was called inside')
    await transaction(database.db, async () => {})
    await call()
  })

  it('does not keep others from calling outside', async () => {
    const inside = Promise.withResolvers<void>()
    const over = Promise.withResolvers<void>()
    const open = transaction(database.db, async () => {
      inside.resolve()
      await over.promise
    })
    await inside.promise
    refuseInsideTransaction('mail.send')
    over.resolve()
    await open
  })

  it('is run again where the server ends its session in the middle', async () => {
    const seen: number[] = []
    await transaction(database.db, async (tx) => {
      await sql`insert into notes values ('once')`.execute(tx)
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
      seen.push(rows[0]?.pid ?? 0)
      if (seen.length > 1) return
      await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(database.db)
      await sql`select 1`.execute(tx)
    })
    expect(new Set(seen).size).toBe(2)
    expect((await notes()).filter((note) => note === 'once')).toHaveLength(1)
  })

  it('is not run again where its commit was sent and has no answer', async () => {
    const cut = await cutAtCommit()
    const { db, end } = openTestPool(cut.url)
    let runs = 0
    const write = transaction(db, async (tx) => {
      runs += 1
      await sql`insert into notes values ('committed')`.execute(tx)
    })
    await expect(write).rejects.toSatisfy(isDatabaseAway)
    expect(runs).toBe(1)
    expect((await notes()).filter((note) => note === 'committed')).toHaveLength(1)
    await end()
    cut.close()
  })

  describe('that has lost a race against another one', () => {
    beforeAll(async () => {
      await sql`create table parents (id int primary key)`.execute(database.db)
      await sql`create table children (parent int references parents (id))`.execute(database.db)
      await sql`create table pots (id int primary key, taken int not null default 0)`.execute(database.db)
      await sql`insert into pots (id) values (1), (2)`.execute(database.db)
    })

    it('is run again where the two wait for each other', async () => {
      const met = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const
      const runs: [number, number] = [0, 0]
      const takeBoth = (mine: 0 | 1) =>
        transaction(database.db, async (tx) => {
          runs[mine] += 1
          const [first, second] = mine === 0 ? [1, 2] : [2, 1]
          await sql`update pots set taken = taken + 1 where id = ${first}`.execute(tx)
          met[mine].resolve()
          await met[mine === 0 ? 1 : 0].promise
          await sql`update pots set taken = taken + 1 where id = ${second}`.execute(tx)
        })
      await Promise.all([takeBoth(0), takeBoth(1)])
      const { rows } = await sql<{ taken: number }>`select taken from pots`.execute(database.db)
      expect(rows).toEqual([{ taken: 2 }, { taken: 2 }])
      // the one that lost may come before the other has gone on, and lose or win again
      expect(runs[0] + runs[1]).toBeGreaterThan(2)
    })

    it('is run again where a row that it refers to was deleted meanwhile', async () => {
      await sql`insert into parents values (1)`.execute(database.db)
      const seen: number[] = []
      await transaction(database.db, async (tx) => {
        const { rows } = await sql<{ id: number }>`select id from parents`.execute(tx)
        seen.push(rows.length)
        await sql`delete from parents`.execute(database.db)
        for (const { id } of rows) await sql`insert into children values (${id})`.execute(tx)
      })
      expect(seen).toEqual([1, 0])
    })

    it('fails where it is lost again and again, and where its work cannot be repeated', async () => {
      let runs = 0
      const refer = async (tx: Tx) => {
        runs += 1
        await sql`insert into children values (7)`.execute(tx)
      }
      await expect(transaction(database.db, refer)).rejects.toMatchObject({ code: '23503' })
      expect(runs).toBe(3)
      await expect(transactionOnce(database.db, refer)).rejects.toMatchObject({ code: '23503' })
      expect(runs).toBe(4)
    })

    it('is not run again for anything else', async () => {
      let runs = 0
      const doubled = transaction(database.db, async (tx) => {
        runs += 1
        await sql`insert into pots (id) values (1)`.execute(tx)
      })
      await expect(doubled).rejects.toMatchObject({ code: '23505' })
      expect(runs).toBe(1)
    })
  })
})
