import { createHash, randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { listAuditEntries } from '../../src/access/audit/audit-trail.ts'
import { verifyAuditTrail } from '../../src/access/audit/audit-verdict.ts'
import { forgetCodes, spendCode } from '../../src/features/calendar/store.ts'
import { type Db, openDatabase, openPool } from '../../src/platform/database/database.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { trusted } from '../../src/platform/ids.ts'
import { recordedLog } from '../recorded-log.ts'

const MIGRATIONS = join(import.meta.dirname, '../../migrations')
/** The last migration of the release before authors had a kind and departures a table. */
const BEFORE = '0013'

describe('a database of the release before', () => {
  const name = `upgrade_${randomBytes(6).toString('hex')}`
  const admin = new pg.Client({ connectionString: inject('adminConnectionString') })
  let pool: pg.Pool
  let db: Db
  let organization = ''
  const users: Record<string, string> = {}
  let headBefore = Buffer.alloc(0)

  beforeAll(async () => {
    await admin.connect()
    await admin.query(`create database ${name}`)
    const url = new URL(inject('adminConnectionString'))
    url.pathname = `/${name}`
    pool = openPool({
      connectionString: url.href,
      maxConnections: 2,
      statementTimeoutMs: 15_000,
      onIdleError: () => {},
    })
    db = openDatabase(pool)
    await bringTo(BEFORE)
    await fill()
    await migrate(url.href, recordedLog().log)
  })
  afterAll(async () => {
    await pool.end()
    await admin.query(`drop database if exists ${name} with (force)`)
    await admin.end()
  })

  async function bringTo(last: string): Promise<void> {
    await pool.query(
      'create table schema_migrations (id serial primary key, name varchar(255) not null, run_on timestamp not null)',
    )
    const files = (await readdir(MIGRATIONS)).filter(
      (file) => file.endsWith('.sql') && file.slice(0, 4) <= last,
    )
    for (const file of files.sort()) {
      await pool.query(await readFile(join(MIGRATIONS, file), 'utf8'))
      await pool.query('insert into schema_migrations (name, run_on) values ($1, now())', [file.slice(0, -4)])
    }
  }

  async function fill(): Promise<void> {
    const one = async (text: string, values: unknown[]) =>
      (await pool.query(text, values)).rows[0].id as string
    organization = await one(
      `insert into organizations (identity_organization_id, name, created_at, updated_at)
        values ('org_00000000000000000000000001', 'Before', now(), now()) returning id`,
      [],
    )
    for (const person of ['admin', 'removed', 'left', 'returned', 'elsewhere'])
      users[person] = await one(
        `insert into users (identity_user_id, email, display_name, created_at, updated_at)
          values ($1, $2, $3, now(), now()) returning id`,
        [`user_${person.padEnd(26, '0').toUpperCase()}`, `${person}@before.example`, person],
      )
    for (const person of ['admin', 'returned'])
      await pool.query(
        `insert into memberships (organization_id, user_id, role, status, created_at, updated_at)
          values ($1, $2, 'member', 'active', now(), now())`,
        [organization, users[person]],
      )
    for (const subject of ['', ' \t', 'x'.repeat(256), 'known'])
      await pool.query(
        `insert into linked_identities (issuer, subject, user_id, created_at)
          values ('https://issuer.example', $1, $2, now())`,
        [subject, subject === 'known' ? users.left : users.elsewhere],
      )
    for (const [person, method] of [
      ['elsewhere', 'oauth'],
      ['elsewhere', 'sso'],
      ['elsewhere', 'magic_auth'],
      ['left', 'oauth'],
    ])
      await pool.query(
        `insert into sessions
            (token_hash, user_id, method, created_at, last_seen_at, idle_expires_at, absolute_expires_at)
          values ($1, $2, $3, now(), now(), now() + interval '1 day', now() + interval '1 day')`,
        [randomBytes(32), users[person ?? ''], method],
      )
    await pool.query('insert into calendar_codes (code_hash, spent_at) values ($1, now())', [
      packedCode('provider-b', users.admin, 'spent before'),
    ])
    await pool.query(
      `insert into mail_queue (sealed_message, created_at, not_after, next_attempt_at, attempts)
        values ('\\x010203', '2026-11-22T12:00:00.123Z', '2026-11-22T12:10:00.123Z', '2026-11-22T12:00:04Z', 2)`,
    )
    await sayThings()
    await chain([
      ['organization.created', users.admin, users.admin, { name: 'Before' }],
      ['member.removed', users.removed, users.admin, { role: 'moderator' }],
      ['member.left', users.left, users.left, { role: 'member' }],
      ['member.removed', users.returned, users.admin, { role: 'member' }],
      ['member.removed', users.elsewhere, null, { by: 'identity-provider', from: 'owner', to: null }],
    ])
  }

  /** Messages that answer themselves and each other, as a sender who guessed their ids could send them. */
  async function sayThings(): Promise<void> {
    await pool.query('alter table messages disable trigger user')
    await pool.query(
      `with c as (insert into conversations (org_id, low_user_id, high_user_id, created_at, updated_at)
        values ($1, least($2::bigint, $3), greatest($2::bigint, $3), now(), now()) returning conversation_id)
      insert into messages (message_id, conversation_id, org_id, sender_id, content, parent_message_id, reply_count,
          is_edited, is_deleted, created_at, updated_at)
        select id, conversation_id, $1, $2, 'x', parent, replies, false, false, now(), now()
        from c, (values (1, null, 0), (2, null, 2), (3, 4, 1), (4, 3, 1), (5, 2, 0)) as sent (id, parent, replies)`,
      [organization, users.admin, users.returned],
    )
    await pool.query('update messages set parent_message_id = 2 where message_id = 2')
    await pool.query('alter table messages enable trigger user')
  }

  /** As the release before wrote codes that had been handed in: the user, then the code. */
  function packedCode(provider: string, user: string | undefined, code: string): Buffer {
    const parts = [`${provider} ${user}`, code].map((part) => createHash('sha256').update(part).digest())
    return Buffer.concat(parts)
  }

  /** As the release before wrote entries: the hash covers no kind of author. */
  async function chain(
    entries: [string, string | undefined, string | null | undefined, object][],
  ): Promise<void> {
    let hash = Buffer.alloc(32)
    const at = '2026-11-01T10:00:00.000Z'
    for (const [index, [action, target, actor, detail]] of entries.entries()) {
      const sequence = String(index + 1)
      const text = JSON.stringify(detail)
      const covered = [
        hash.toString('hex'),
        organization,
        sequence,
        at,
        actor ?? null,
        action,
        'user',
        target,
        'r',
        '192.0.2.1',
        text,
      ]
      hash = createHash('sha256').update(JSON.stringify(covered)).digest()
      await pool.query(
        `insert into audit_entries (organization_id, sequence, at, actor_user_id, action, target_kind, target_id, request_id, address, detail, hash)
          values ($1, $2, $3, $4, $5, 'user', $6, 'r', '192.0.2.1', $7, $8)`,
        [organization, sequence, at, actor ?? null, action, target, text, hash],
      )
    }
    headBefore = hash
    await pool.query('insert into audit_heads (organization_id, sequence, hash) values ($1, $2, $3)', [
      organization,
      entries.length,
      hash,
    ])
  }

  it('remembers who was removed and who left, from the audit trail', async () => {
    const { rows } = await pool.query(
      'select user_id, kind, removed_by, role from membership_departures order by user_id',
    )
    expect(rows).toEqual([
      { user_id: users.removed, kind: 'removed', removed_by: 'user', role: 'moderator' },
      { user_id: users.left, kind: 'left', removed_by: null, role: 'member' },
      { user_id: users.elsewhere, kind: 'removed', removed_by: 'identity-provider', role: 'guest' },
    ])
  })

  it('knows nobody by a name at an issuer that is none, and ends what came in by one', async () => {
    const { rows } = await pool.query('select subject, user_id from linked_identities')
    expect(rows).toEqual([{ subject: 'known', user_id: users.left }])
    const alive = await pool.query(
      'select user_id, method from sessions where revoked_at is null order by user_id, method',
    )
    expect(alive.rows).toEqual([
      { user_id: users.left, method: 'oauth' },
      { user_id: users.elsewhere, method: 'magic_auth' },
    ])
    const link = (subject: string) =>
      pool.query(
        `insert into linked_identities (issuer, subject, user_id, created_at) values ('i', $1, $2, now())`,
        [subject, users.left],
      )
    for (const subject of ['', ' ', 'x'.repeat(256)])
      await expect(link(subject)).rejects.toThrow('tell_apart')
  })

  it('knows who has founded an organization, from the first entry of its trail', async () => {
    const { rows } = await pool.query('select founder_user_id from organizations')
    expect(rows).toEqual([{ founder_user_id: users.admin }])
  })

  it('has a trail that still verifies, and authors whose kind is told', async () => {
    const id = trusted.organizationId(organization)
    expect(await verifyAuditTrail(db, id)).toEqual({ entries: 5, brokenAt: undefined })
    const entries = await listAuditEntries(db, id, { oldestFirst: true, limit: 10 })
    expect(entries.map(({ actorKind }) => actorKind)).toEqual([
      ...['user', 'user', 'user', 'user'],
      'identity-provider',
    ])
    // the chain is another one, which covers commitments; what was noted down of the one before is found
    const { rows } = await pool.query('select organization_id, sequence, hash from audit_former_heads')
    expect(rows).toEqual([{ organization_id: organization, sequence: '5', hash: headBefore }])
    expect((await pool.query('select distinct chain from audit_entries')).rows).toEqual([{ chain: 2 }])
    await pool.query(`alter table audit_entries disable trigger user`)
    await pool.query(`update audit_entries set actor_kind = 'operator' where sequence = 5`)
    expect(await verifyAuditTrail(db, id)).toMatchObject({ brokenAt: '5' })
  })

  it('has no message that is its own ancestor, and answers are counted as they are', async () => {
    const { rows } = await pool.query(
      'select message_id::int as id, parent_message_id::int as parent, reply_count as replies from messages order by 1',
    )
    expect(rows).toEqual([
      { id: 1, parent: null, replies: 0 },
      { id: 2, parent: null, replies: 1 },
      { id: 3, parent: null, replies: 1 },
      { id: 4, parent: 3, replies: 0 },
      { id: 5, parent: 2, replies: 0 },
    ])
  })

  it('knows whose the calendar codes are that were handed in, there and on nodes of the release before', async () => {
    const key = { user: trusted.userId(users.admin ?? ''), provider: 'provider-b' } as const
    const now = new Date()
    const { rows } = await pool.query('select user_id, provider from calendar_codes')
    expect(rows).toEqual([{ user_id: users.admin, provider: 'provider-b' }])
    expect(await spendCode(db, key, 'spent before', now)).toBe(false)
    const spendBefore = async (code: string) =>
      (
        await pool.query(
          `insert into calendar_codes (code_hash, spent_at) values ($1, $2)
            on conflict (code_hash) do nothing returning code_hash`,
          [packedCode(key.provider, users.admin, code), now],
        )
      ).rowCount === 1
    expect(await spendBefore('spent there')).toBe(true)
    expect(await spendCode(db, key, 'spent there', now)).toBe(false)
    expect(await spendCode(db, key, 'spent here', now)).toBe(true)
    expect(await spendBefore('spent here')).toBe(false)
    expect(await spendCode(db, { ...key, provider: 'provider-a' }, 'spent here', now)).toBe(true)

    await forgetCodes(db, key)
    expect(await spendCode(db, key, 'spent before', now)).toBe(true)
  })

  it('has what waited in tables of its own among the background work', async () => {
    const { rows } = await pool.query(
      'select queue, class, organization_id, key, payload, created_at, expires_at, run_at, attempts from work_items order by id',
    )
    const told = ['admin', 'returned'].map((person) => ({
      queue: 'identity-changes',
      organization_id: organization,
      key: `${organization} ${users[person]}`,
      payload: { organization, user: users[person] },
    }))
    expect(rows).toMatchObject([
      {
        ...{ queue: 'mail', class: 'code', organization_id: '0', key: null, attempts: 2 },
        payload: { sealed: Buffer.from([1, 2, 3]).toString('base64') },
        created_at: new Date('2026-11-22T12:00:00.123Z'),
        expires_at: new Date('2026-11-22T12:10:00.123Z'),
        run_at: new Date('2026-11-22T12:00:04Z'),
      },
      ...told,
    ])
    for (const table of ['mail_queue', 'identity_changes'])
      expect((await pool.query(`select 1 from ${table}`)).rows).toEqual([])
  })
})
