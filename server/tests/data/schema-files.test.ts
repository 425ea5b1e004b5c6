import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import {
  type CatalogueItem,
  describeCatalogue,
  expectedCatalogue,
} from '../../src/platform/database/catalogue.ts'
import type { Db } from '../../src/platform/database/database.ts'
import {
  SCHEMA_KINDS,
  type SchemaStatement,
  schemaFiles,
} from '../../src/platform/database/schema/schema-files.ts'
import { transaction } from '../../src/platform/database/transaction.ts'
import { type FreshDatabase, freshDatabase } from '../fresh-database.ts'

/** What the files hold; the rest is the migrations'. */
const HELD: readonly string[] = ['function', 'view', 'trigger', 'policy', 'grant', 'constraint', 'reach']

let database: FreshDatabase | undefined
afterEach(() => database?.drop())

/** A database without functions, views, triggers and policies, and without what hung on them. */
async function withoutThem(): Promise<Db> {
  database = await freshDatabase()
  await sql`do $$ declare one record; begin
    for one in select format('drop policy %I on %s', polname, polrelid::regclass) as gone from pg_policy loop
      execute one.gone;
    end loop;
    for one in select format('drop trigger %I on %s', tgname, tgrelid::regclass) as gone
      from pg_trigger where not tgisinternal loop execute one.gone;
    end loop;
    for one in select format('drop view %s', oid::regclass) as gone
      from pg_class where relnamespace = 'public'::regnamespace and relkind = 'v' loop execute one.gone;
    end loop;
    for one in select format('drop %s %s', case prokind when 'a' then 'aggregate' else 'function' end,
        oid::regprocedure) as gone
      from pg_proc p where pronamespace = 'public'::regnamespace
        and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
      order by prokind loop execute one.gone;
    end loop;
  end $$`.execute(database.db)
  return database.db
}

async function apply(db: Db, statements: readonly SchemaStatement[]): Promise<void> {
  await transaction(db, async (tx) => {
    // a function may name another one that comes after it
    await sql`set local check_function_bodies = off`.execute(tx)
    for (const kind of SCHEMA_KINDS)
      for (const { text } of statements.filter((statement) => statement.kind === kind))
        await sql.raw(text).execute(tx)
  })
}

/** What one side has and the other has not: nothing where they are the same. */
async function differences(db: Db): Promise<string[]> {
  const lines = (items: readonly CatalogueItem[]) =>
    items
      .filter(({ kind }) => HELD.includes(kind))
      .map(({ kind, name, digest }) => ({ item: `${kind} ${name}`, digest }))
  const { items } = await describeCatalogue(db)
  const [found, wanted] = [lines(items), lines(expectedCatalogue().items)]
  expect(wanted.length).toBeGreaterThan(300)
  const isIn = (all: typeof found, { item, digest }: (typeof found)[number]) =>
    all.some((other) => other.item === item && other.digest === digest)
  const differing = [
    ...found.filter((line) => !isIn(wanted, line)),
    ...wanted.filter((line) => !isIn(found, line)),
  ]
  return [...new Set(differing.map(({ item }) => item))].sort()
}

describe('schema.sql of all folders', () => {
  it('makes every function, view, trigger, policy and right that the migrations made, and more than once', async () => {
    const db = await withoutThem()
    for (const _ of ['first', 'again']) {
      await apply(db, schemaFiles())
      expect(await differences(db)).toEqual([])
    }
  })

  it('is seen to differ where a word of a function or trigger does, or a right is missing', async () => {
    const db = await withoutThem()
    const changed = schemaFiles()
      .filter(({ kind, name }) => !(kind === 'right' && name === 'open_dm'))
      .map((statement) => ({ ...statement, text: statement.text.replace("'knock.ended'", "'knock.over'") }))
      .map((statement) => ({
        ...statement,
        text: statement.text.replace('after update of outcome on knocks', 'after update on knocks'),
      }))
    await apply(db, changed)
    expect(await differences(db)).toEqual([
      'function public.tell_knock_ended()',
      'grant execute on function public.open_dm(bigint) to authenticated',
      'grant execute on function public.open_dm(bigint) to public',
      'trigger knocks_tell_ended on public.knocks',
    ])
  })
})
