import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../../tests/fresh-database.ts'
import { deleteOwnedRows } from './delete-owned-rows.ts'

describe('deleteOwnedRows', () => {
  let database: FreshDatabase
  beforeAll(async () => {
    database = await freshDatabase()
    // replies to replies, more than two pieces of them; and notes on more pages than a piece has, without an index
    await database.pool.query(`
      create table planted_things (id bigint primary key, organization_id bigint, parent bigint references planted_things);
      create index on planted_things (organization_id);
      create index on planted_things (parent);
      create table a_planted_note (thing bigint references planted_things, org_id bigint, said text);
      create index on a_planted_note (thing);
      create table planted_others (organization_id bigint);
      insert into planted_things select n, 1, case when n > 4000 then n - 4000 end from generate_series(1, 12000) n;
      insert into planted_things select n, 2, null from generate_series(20001, 20010) n;
      insert into a_planted_note select n % 12000 + 1, 1, repeat('x', 1500) from generate_series(1, 12000) n;
      insert into a_planted_note select 20001, 2, 'kept';
      insert into planted_others values (1), (2);
      analyze`)
  })
  afterAll(() => database.drop())

  it('deletes those of one owner from every table, whatever refers to what, and leaves out what is spared', async () => {
    const { db, pool } = database
    const owned = {
      values: { org_id: '1', organization_id: '1' },
      spared: ['planted_others'],
      order: ['planted_things', 'a_planted_note'],
    }
    expect(await deleteOwnedRows(db, owned)).toEqual(
      new Map([
        ['a_planted_note', 12_000],
        ['planted_things', 12_000],
      ]),
    )
    const left = await pool.query(
      `select (select count(*)::int from planted_things) as things, (select count(*)::int from a_planted_note) as notes,
        (select count(*)::int from planted_others) as others`,
    )
    expect(left.rows).toEqual([{ things: 10, notes: 1, others: 2 }])
    expect(await deleteOwnedRows(db, owned)).toEqual(new Map())
  })
})
