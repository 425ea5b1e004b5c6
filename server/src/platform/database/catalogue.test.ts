import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../tests/fresh-database.ts'
import {
  catalogueDifferences,
  compareCatalogues,
  describeCatalogue,
  expectedCatalogue,
  parseCatalogue,
} from './catalogue.ts'
import { isHarmless, mendCatalogue, sentenceOf } from './mend-catalogue.ts'

const FILE = join(import.meta.dirname, '../../../migrations/catalogue.jsonl')

let database: FreshDatabase | undefined
afterEach(() => database?.drop())

async function broken(...statements: string[]) {
  database = await freshDatabase()
  for (const statement of statements) await database.pool.query(statement)
  const { db } = database
  return { db, sentences: async () => (await catalogueDifferences(db)).map(sentenceOf) }
}

describe('the catalogue of the migrations', () => {
  it('is what they make, on every PostgreSQL', async () => {
    const { db } = await broken()
    const { roles, items } = await describeCatalogue(db)
    const digests = (all: readonly { kind: string; name: string; digest: string }[]) =>
      all.map(({ kind, name, digest }) => `${kind} ${name} ${digest}`)
    const written = parseCatalogue(readFileSync(FILE, 'utf8'))
    expect(roles).toEqual(written.roles)
    expect(digests(items)).toEqual(digests(written.items))
    expect(await catalogueDifferences(db)).toEqual([])
  })

  it('is missed and made again after a restore without roles', async () => {
    const { db, sentences } = await broken(
      'drop owned by authenticated',
      'alter table messages disable row level security',
    )
    expect(await sentences()).toEqual(
      expect.arrayContaining([
        'The row-level security of messages is missing (without it nothing keeps conversations from those who are not in them).',
        'The policy messages_of_own_conversations on messages is missing (it decides who sees which conversation).',
        'The grant select on table messages to authenticated is missing.',
      ]),
    )
    const { done, left } = await mendCatalogue(db)
    expect(left).toEqual([])
    expect(done.map(({ kind }) => kind)).toContain('policy')
    expect(await sentences()).toEqual([])
  })

  it('is made again where functions, triggers, constraints and indexes went', async () => {
    const { db, sentences } = await broken(
      'drop function open_dm(bigint)',
      'drop trigger sessions_changed on sessions',
      'drop index sessions_of_user',
      'alter table conversation_members drop constraint conversation_members_pkey',
      'alter table users disable trigger all',
    )
    expect(await sentences()).toEqual(
      expect.arrayContaining([
        'The function open_dm(bigint) is missing.',
        'The trigger sessions_changed on sessions is missing.',
        'The index sessions_of_user is missing.',
        'The constraint conversation_members_pkey on conversation_members is missing.',
        expect.stringMatching(/^The trigger .* on users is not as the migrations made it/),
      ]),
    )
    const { left } = await mendCatalogue(db)
    expect(left).toEqual([])
    expect(await sentences()).toEqual([])
    const { rows } = await (database as FreshDatabase).pool.query(
      `select has_function_privilege('public', 'open_dm(bigint)', 'execute') as open`,
    )
    expect(rows).toEqual([{ open: false }])
  })

  it('knows policies and rights that are none of it, and takes them away', async () => {
    const { db, sentences } = await broken(
      'create policy everybody on messages for select to authenticated using (true)',
      'grant select on users to authenticated',
      'create table of_somebody_else (id int)',
      'grant select on of_somebody_else to authenticated',
    )
    expect(await sentences()).toEqual([
      "The policy everybody on messages is none of the migrations': it allows more than they do.",
      "The grant select on table users to authenticated is none of the migrations': it allows more than they do.",
    ])
    expect((await mendCatalogue(db)).left).toEqual([])
    expect(await sentences()).toEqual([])
  })

  it.each([
    [
      'a column',
      ['grant select (email) on users to authenticated'],
      'The right select on table users to authenticated comes by a column, another role or as its owner: the migrations do not give it.',
    ],
    [
      'a column, of everybody',
      ['grant update (email) on users to public'],
      'The right update on table users to authenticated comes by a column, another role or as its owner: the migrations do not give it.',
    ],
    [
      'a table that is its own',
      ['alter table messages owner to authenticated'],
      'The role authenticated owns the table messages: its rules do not hold for whoever owns it.',
    ],
    [
      'the schema',
      ['grant create on schema public to authenticated'],
      "The grant create on schema public to authenticated is none of the migrations': it allows more than they do.",
    ],
    [
      'a view that shows all organizations',
      [
        'create or replace view chat_presence_rows as select user_id, status, last_seen_at from chat_presence',
      ],
      'The view chat_presence_rows is not as the migrations made it.',
    ],
  ])('knows what chat reaches by %s, and takes it away', async (_by, statements, sentence) => {
    const { db, sentences } = await broken(...statements)
    expect(await sentences()).toContain(sentence)
    expect((await mendCatalogue(db)).left).toEqual([])
    expect(await sentences()).toEqual([])
  })

  it('does not mend for ever what another process brings back', async () => {
    const { db, sentences } = await broken(
      'create role giver_of_rights',
      'grant giver_of_rights to current_user',
      'grant select on users to giver_of_rights with grant option',
      'set role giver_of_rights; grant select on users to authenticated; reset role',
    )
    try {
      const { left } = await mendCatalogue(db)
      expect(left.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
        'grant select on table public.users to authenticated',
      ])
      expect(left[0]?.reason).toContain('it is as before')
      expect(await sentences()).toHaveLength(1)
    } finally {
      await database?.pool.query('drop owned by giver_of_rights cascade; drop role giver_of_rights')
    }
  })

  it('knows what lies before the tables of the office in the search_path', async () => {
    const { db, sentences } = await broken(
      'create schema before',
      'create table before.sessions (like public.sessions)',
      'create table before.of_somebody_else (id int)',
      `create function before.open_dm(bigint) returns bigint language sql as 'select 1::bigint'`,
      `do $$ begin execute format('alter database %I set search_path = before, public', current_database()); end $$`,
    )
    const first = await database?.pool.connect()
    first?.release(true)
    expect(await sentences()).toEqual([
      'The function before.open_dm(bigint) is found before the one of the migrations (search_path): the office takes it for its own.',
      'The table before.sessions is found before the one of the migrations (search_path): the office takes it for its own.',
    ])
    const { left } = await mendCatalogue(db)
    expect(left[0]?.reason).toContain('search_path')
  })

  it('mends with nothing that was put in the place of what PostgreSQL brings', async () => {
    const { db } = await broken(
      'drop index sessions_of_user',
      'alter table organizations drop constraint if exists organizations_name_check',
      'drop policy messages_of_own_conversations on messages',
      'create schema before',
      'create table before.called (by text)',
      `create function before.set_config(text, text, boolean) returns text language sql as
        $$insert into before.called values ('set_config'); select $2$$`,
      `create function before.format(text, variadic "any") returns text language internal as 'text_format' immutable`,
      `create function before.md5(text) returns text language sql as
        $$insert into before.called values ('md5'); select $1$$`,
      `do $$ begin execute format('alter database %I set search_path = before, public, pg_catalog', current_database()); end $$`,
    )
    const first = await database?.pool.connect()
    first?.release(true)
    expect((await mendCatalogue(db)).left).toEqual([])
    const { rows } = await (database as FreshDatabase).pool.query('select from before.called')
    expect(rows).toEqual([])
  })

  it('says names in one line, with any characters', async () => {
    const lie = 'x\nAll is as the migrations made it\u001b[2J'
    const { db, sentences } = await broken(
      `create policy "${lie}" on messages for select to authenticated using (true)`,
      'create policy "a on public.users; drop table messages; -- to nobody" on messages for select using (true)',
    )
    const [first = '', second = ''] = await sentences()
    expect(first + second).not.toMatch(/\p{Cc}/u)
    expect([first, second].join()).toContain('x\\u{a}All is')
    expect((await mendCatalogue(db)).left).toEqual([])
    expect(await sentences()).toEqual([])
  })

  it('says what it cannot make again', async () => {
    const { db } = await broken('alter table chat_presence drop column last_seen_at cascade')
    const { left } = await mendCatalogue(db)
    expect(left.map(({ kind, name }) => `${kind} ${name}`)).toContain(
      'column public.chat_presence.last_seen_at',
    )
    expect(left[0]?.reason).toContain('a backup')
  })

  it('says nothing of a schema that another release has changed, or that is not complete', async () => {
    const { db } = await broken(
      'drop policy messages_of_own_conversations on messages',
      `insert into schema_migrations (name, run_on) values ('9999_of-tomorrow', now())`,
    )
    expect(await catalogueDifferences(db)).toEqual([])
    await database?.pool.query(
      'delete from schema_migrations where id > (select min(id) from schema_migrations)',
    )
    expect(await catalogueDifferences(db)).toEqual([])
  })

  it('tells what only costs time from what opens or breaks something', () => {
    const { items } = expectedCatalogue()
    const missing = compareCatalogues(items, [])
    const named = (part: string) => missing.find(({ name }) => name === part)
    expect(isHarmless(named('public.sessions_of_user') as never)).toBe(true)
    expect(missing.filter(isHarmless).every(({ kind }) => kind === 'index')).toBe(true)
  })
})
