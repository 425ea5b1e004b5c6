import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../tests/fresh-database.ts'
import { refuseInsideTransaction, transaction } from './transaction.ts'

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

  it('lets nobody call outside while it is open', async () => {
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
})
