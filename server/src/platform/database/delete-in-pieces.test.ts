import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../tests/fresh-database.ts'
import { deleteInPieces } from './delete-in-pieces.ts'

describe('deleteInPieces', () => {
  let database: FreshDatabase
  beforeEach(async () => {
    database = await freshDatabase()
  })
  afterEach(() => database.drop())

  it('deletes all for which it holds and nothing else, each piece for good', async () => {
    const { pool, db } = database
    await pool.query(`
      insert into code_requests (browser_hash, email, expires_at, created_at)
      select sha256(n::text::bytea), n || '@pieces.example', now() + make_interval(secs => n), now()
      from generate_series(1, 25) n`)
    const left = async () =>
      (await pool.query('select count(*)::int as count from code_requests')).rows[0].count
    // the fourth piece of five meets what fails: the three before it are gone all the same
    const fails = sql`case when email = '18@pieces.example' then email::int < 0
      else expires_at < now() + interval '22 seconds' end`
    await expect(deleteInPieces(db, 'code_requests', fails, 5)).rejects.toThrow('invalid input syntax')
    expect(await left()).toBeLessThanOrEqual(15)
    await deleteInPieces(db, 'code_requests', sql`split_part(email, '@', 1)::int < 22`, 5)
    expect(await left()).toBe(4)
  })
})
