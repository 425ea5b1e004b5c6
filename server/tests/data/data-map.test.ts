import { afterAll, beforeAll, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../fresh-database.ts'
import { readDataMap } from './data-map.ts'

let database: FreshDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

const TEXTUAL = [
  'text',
  'character varying',
  'character',
  'json',
  'jsonb',
  'bytea',
  'ARRAY',
  'inet',
  'cidr',
  'tsvector',
  'xml',
]

it('docs/security/data-map.md says of every column that can hold text what erasure does with it', async () => {
  const { rows } = await database.pool.query<{ column: string }>(
    `select c.table_name || '.' || c.column_name as column
      from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
      where c.table_schema = 'public' and t.table_type = 'BASE TABLE'
        and (c.data_type = any($1) or c.data_type = 'USER-DEFINED')`,
    [TEXTUAL],
  )
  const named = readDataMap().map(({ column }) => column)
  expect(named.sort()).toEqual(rows.map(({ column }) => column).sort())
})

it('knows six kinds', () => {
  expect(new Set(readDataMap().map(({ kind }) => kind))).toEqual(
    new Set(['person', 'passing', 'sealed', 'id', 'others', 'none']),
  )
})
