import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { archiveChapters } from '../../src/compose/from-features/archive-chapters.ts'
import { columnsOf, numbersOf } from '../../src/directory/archive-chapter.ts'
import { makeKeyRing } from '../../src/platform/secrets/sealed-column.ts'
import { Secret } from '../../src/platform/secrets/secret.ts'
import { type FreshDatabase, freshDatabase } from '../fresh-database.ts'

/** Tables that no archive holds, and why. */
const WITHHELD: Record<string, string> = {
  account_confirmations: 'of a change that is under way',
  audit_former_heads: 'ends of trails as an earlier release hashed them',
  calendar_codes: 'hashes of codes that were used up',
  centrifugo_outbox: 'events on their way to the broker',
  code_requests: 'of a sign-in that is under way',
  email_codes: 'of a sign-in that is under way',
  ended_access: 'what ended within the last day, for other nodes',
  exports: 'what was exported is in the audit trail',
  idempotent_replies: 'sealed replies of the last day',
  identity_changes: 'of an earlier release',
  identity_news: 'where the identity provider was read up to',
  imported_accounts: 'who has not come into this office yet',
  invite_links: 'secret: another one is made when it is asked for',
  knocks: 'over after half a minute',
  mail_queue: 'of an earlier release; sealed',
  media_events: 'what the media server has told, until it is processed',
  media_jobs: 'what metrics are counted from',
  media_rooms: 'what metrics are counted from',
  media_tracks: 'what metrics are counted from',
  message_words: 'follows from the messages',
  metric_series: 'metrics of this office',
  organization_limits: 'what the operator of this office gives; another one gives something else',
  person_limits: 'the same, of one person',
  organization_moves: 'of a move that is under way',
  organization_foundings: 'of an organization that is being made',
  outbox_partitions: 'of the office itself',
  pending_sign_ins: 'of a sign-in that is under way',
  pending_sign_ups: 'of a sign-up that is under way',
  pilot_tokens: 'secret, of no organization',
  presence_poll: 'of the office itself',
  presence_revisions: 'of the copies of nodes',
  push_keys: 'secret: known to push services as this office',
  rate_limits: 'counters of the last day',
  readiness_probes: 'of the office itself',
  recovery_links: 'secret, for a quarter of an hour',
  redirect_sign_ins: 'of a sign-in that is under way; sealed',
  replaced_images: 'pictures that are about to be removed',
  room_key_boxes: 'of a session of a room, now',
  room_keys: 'of a session of a room, now',
  room_departures: 'of the last minutes',
  room_doors: 'of the last minutes',
  sandbox_mails: 'development only',
  schema_migrations: 'of the schema',
  scim_group_members: 'the directory says it anew',
  scim_groups: 'the directory says it anew',
  sso_connections: 'a connection is nothing without its secret: it is set up again',
  sso_drafts: 'a connection is nothing without its secret: it is set up again',
  sso_tests: 'of a test that is over within a day',
  upload_tickets: 'of an upload that is under way',
  webhook_deliveries: 'copies of events of the last 30 days',
  work_items: 'what is still to be done by this office',
}

/** Numbers that name no row. */
const AMOUNTS: Record<string, string[]> = {
  attachments: ['bytes'],
  audit_entries: ['sequence'],
  audit_heads: ['sequence'],
  audit_cuts: ['sequence'],
  recordings: ['size_bytes'],
}

describe('archives', () => {
  let database: FreshDatabase
  beforeAll(async () => {
    database = await freshDatabase()
  })
  afterAll(() => database.drop())

  const chapters = archiveChapters({
    invitationRing: makeKeyRing('tests', new Secret('0123456789'.repeat(4))),
  })

  it('hold each table, or there is a reason why not', async () => {
    const { rows } = await database.pool.query<{ name: string }>(
      `select table_name as name from information_schema.tables
        where table_schema = 'public' and table_type = 'BASE TABLE'`,
    )
    const decided = [...chapters.map(({ table }) => table), ...Object.keys(WITHHELD)]
    expect(decided.toSorted()).toEqual(rows.map(({ name }) => name).toSorted())
  })

  it.each(chapters)('hold each column of $table, or there is a reason why not', async (chapter) => {
    const { rows } = await database.pool.query<{ name: string; type: string }>(
      `select column_name as name, data_type as type from information_schema.columns
        where table_schema = 'public' and table_name = $1`,
      [chapter.table],
    )
    const decided = [...chapter.columns, ...Object.keys(chapter.withheld)]
    expect(decided.toSorted()).toEqual(rows.map(({ name }) => name).toSorted())
    for (const kind of ['organization', 'person'] as const)
      expect(chapter.columns).toEqual(expect.arrayContaining([...columnsOf(chapter, kind)]))
    // hashes of the audit trail are no secrets: nothing else that is stored as bytes leaves the office
    const bytes = rows.filter(({ name, type }) => type === 'bytea' && chapter.columns.includes(name))
    if (!chapter.table.startsWith('audit_')) expect(bytes).toEqual([])
  })

  // an office with people gives numbers of its own, and what names a row by its former number would name another one
  it.each(chapters)('know of each number of $table what it numbers', async (chapter) => {
    if (!chapter.organization) return
    const { rows } = await database.pool.query<{ name: string }>(
      `select column_name as name from information_schema.columns
        where table_schema = 'public' and table_name = $1 and data_type = 'bigint'`,
      [chapter.table],
    )
    const named = columnsOf(chapter, 'organization')
    const known = [...numbersOf(chapter).map(([column]) => column), ...(AMOUNTS[chapter.table] ?? [])]
    const numbers = rows.map(({ name }) => name).filter((name) => named.includes(name))
    expect(numbers.filter((name) => !known.includes(name))).toEqual([])
  })

  it('are described, each chapter, in docs/exports.md', () => {
    const described = readFileSync(join(import.meta.dirname, '../../../docs/exports.md'), 'utf8')
    const rows = described.split('\n').filter((line) => line.startsWith('| `'))
    const named = new Set(rows.flatMap((row) => row.split('|')[1]?.match(/[\w-]+/g) ?? []))
    expect(chapters.map(({ name }) => name).filter((name) => !named.has(name))).toEqual([])
  })

  it('have a folder of its own for each chapter, and each is in some archive', () => {
    const names = chapters.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    for (const { name, organization, person } of chapters) {
      expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/)
      expect(organization ?? person, name).toBeDefined()
    }
  })
})
