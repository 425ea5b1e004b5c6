import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../../tests/fresh-database.ts'
import { recordedLog } from '../../../../tests/recorded-log.ts'
import { catalogueDifferences } from '../catalogue.ts'
import { migrate } from '../migrate.ts'
import { MARK_QUERY, markStatement, ownRevision } from './schema-revision.ts'

let database: FreshDatabase
beforeEach(async () => {
  database = await freshDatabase()
})
afterEach(() => database.drop())

const recorded = recordedLog()
const { log } = recorded
const own = ownRevision()
/** As an earlier release left it, with other functions. */
const FORMER = [
  `create or replace function tell_knock_ended() returns trigger language plpgsql as $$ begin return null; end $$`,
  'drop trigger guests_state_noted on guests',
  'drop function open_dm(bigint)',
]
/** What `migrate` says that it has applied of the schema files. */
async function appliedBy(...nodes: number[]): Promise<string[][]> {
  recorded.lines.length = 0
  await Promise.all(nodes.map(() => migrate(database.connectionString, log)))
  return recorded.lines
    .filter(({ msg }) => msg === 'schema.sql was applied')
    .map(({ parts }) => parts as string[])
}

const markOf = async () => (await database.pool.query<{ mark: string }>(MARK_QUERY)).rows[0]?.mark

async function leaveAs(revision: number): Promise<void> {
  for (const statement of FORMER) await database.pool.query(statement)
  await database.pool.query(markStatement({ revision, digest: '0'.repeat(64) }))
}

describe('migrate', () => {
  it('marks a database with the schema files of its release, and applies nothing a second time', async () => {
    expect(await markOf()).toBe(`schema ${own.revision} ${own.digest}`)
    expect(await appliedBy(1)).toEqual([])
  })

  it('applies what differs of an earlier release, and no more; its rights too', async () => {
    await leaveAs(own.revision - 1)
    expect(await appliedBy(1)).toEqual([
      [
        'function public.open_dm(bigint)',
        'function public.tell_knock_ended()',
        'trigger guests_state_noted on public.guests',
        'grant execute on function public.open_dm(bigint) to authenticated',
      ],
    ])
    expect(await catalogueDifferences(database.db)).toEqual([])
    const { rows } = await database.pool.query(
      `select has_function_privilege('public', 'open_dm(bigint)', 'execute') as open`,
    )
    expect(rows).toEqual([{ open: false }])
    expect(await markOf()).toBe(`schema ${own.revision} ${own.digest}`)
  })

  it('applies it once where nodes start at the same time', async () => {
    await leaveAs(own.revision - 1)
    const applied = await appliedBy(1, 2, 3)
    expect(applied.filter(({ length }) => length > 0)).toHaveLength(1)
  })

  it('leaves alone what a later release has made, and does not judge it', async () => {
    await leaveAs(own.revision + 1)
    expect(await appliedBy(1)).toEqual([])
    expect(await markOf()).toBe(`schema ${own.revision + 1} ${'0'.repeat(64)}`)
    expect(await catalogueDifferences(database.db)).toEqual([])
  })

  it('is not kept from it by rights that the host gives by default', async () => {
    await leaveAs(own.revision - 1)
    await database.pool.query('grant execute on function tell_knock_ended() to authenticated')
    const [applied] = await appliedBy(1)
    expect(applied).toContain('function public.tell_knock_ended()')
    const left = await catalogueDifferences(database.db)
    expect(left.map(({ kind, name, what }) => `${what} ${kind} ${name}`)).toContain(
      'unexpected grant execute on function public.tell_knock_ended() to authenticated',
    )
  })

  it('changes nothing where it cannot apply all of it, and says why', async () => {
    await leaveAs(own.revision - 1)
    await database.pool.query('create function open_dm(bigint) returns void language sql as $$ $$')
    await expect(migrate(database.connectionString, log)).rejects.toThrow('return type')
    expect(await markOf()).toBe(`schema ${own.revision - 1} ${'0'.repeat(64)}`)
    const { rowCount } = await database.pool.query(
      "select from pg_trigger where tgname = 'guests_state_noted'",
    )
    expect(rowCount).toBe(0)
  })
})
