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
