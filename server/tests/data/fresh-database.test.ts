import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../fresh-database.ts'

let databases: FreshDatabase[]
beforeAll(async () => {
  databases = await Promise.all([freshDatabase(), freshDatabase(), freshDatabase()])
})
afterAll(() => Promise.all(databases.map((database) => database.drop())))

describe('fresh databases', () => {
  it('have every table and no rows', async () => {
    for (const { db } of databases) {
      const { rows } = await sql<{ count: string }>`select count(*) from organizations`.execute(db)
      expect(rows).toEqual([{ count: '0' }])
    }
  })

  it('know nothing of each other', async () => {
    const [one, other] = databases
    if (!one || !other) throw new Error('no databases')
    await sql`insert into sandbox_mails (recipient, subject, text_body, html_body, received_at) values ('a', 'b', 'c', 'd', now())`.execute(
      one.db,
    )
    const { rows } = await sql`select 1 from sandbox_mails`.execute(other.db)
    expect(rows).toEqual([])
  })

  it('can be dropped while a client is still connected, and twice', async () => {
    const database = await freshDatabase()
    const kept = await database.pool.connect()
    kept.on('error', () => {})
    await database.drop()
    await database.drop()
    await expect(database.pool.query('select 1')).rejects.toThrow()
  })
})
