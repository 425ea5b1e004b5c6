import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../tests/fresh-database.ts'
import { hasOwnSession } from './own-session.ts'

let database: FreshDatabase
const clients: pg.Client[] = []
beforeAll(async () => {
  database = await freshDatabase()
  for (let n = 0; n < 3; n++) {
    const client = new pg.Client({ connectionString: database.connectionString })
    await client.connect()
    clients.push(client)
  }
})
afterAll(async () => {
  for (const client of clients) await client.end()
  await database.drop()
})

it('a connection to PostgreSQL has a session of its own', async () => {
  const [one, other] = clients as [pg.Client, pg.Client]
  expect(await hasOwnSession(one, other)).toBe(true)
})

it('two connections that a pool serves by one session have none', async () => {
  const [one] = clients as [pg.Client]
  expect(await hasOwnSession(one, one)).toBe(false)
})

it('nor has one that a pool gives another session while its own is taken', async () => {
  const [one, other, further] = clients as [pg.Client, pg.Client, pg.Client]
  let asked = 0
  const moved = {
    query: ((text: string) => (asked++ === 0 ? other : further).query(text)) as pg.Client['query'],
  }
  expect(await hasOwnSession(moved, one)).toBe(false)
})
