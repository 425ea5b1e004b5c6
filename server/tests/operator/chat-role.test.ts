import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalogueDifferences } from '../../src/platform/database/catalogue.ts'
import { openDatabase, openPool } from '../../src/platform/database/database.ts'
import { mendCatalogue } from '../../src/platform/database/mend-catalogue.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { recordedLog } from '../recorded-log.ts'
import { testCluster } from '../run/test-cluster.ts'

const { log, text } = recordedLog()

/** The role of chat belongs to the cluster: here every test begins in one that may or may not have it. */

let cluster: Awaited<ReturnType<typeof testCluster>>
let admin: pg.Client
const databases: string[] = []
beforeAll(async () => {
  cluster = await testCluster()
  admin = new pg.Client({ connectionString: cluster.connectionString })
  await admin.connect()
})
afterAll(async () => {
  await admin.end()
  await cluster.stop()
})

/** A database with an owner that is no superuser, as on managed PostgreSQL. */
async function ownedDatabase(owner: string, attributes = 'nocreaterole'): Promise<string> {
  const name = `of_${owner}_${databases.length}`
  databases.push(name)
  const { rows } = await admin.query('select from pg_roles where rolname = $1', [owner])
  if (rows.length === 0) await admin.query(`create role ${owner} login password 'x' ${attributes}`)
  await admin.query(`create database ${name} owner ${owner}`)
  const url = new URL(cluster.connectionString)
  url.username = owner
  url.password = 'x'
  url.pathname = `/${name}`
  return url.href
}

async function major(): Promise<number> {
  const { rows } = await admin.query(`select current_setting('server_version_num')::int / 10000 as major`)
  return rows[0].major
}

/** The same database, for the administrator of the cluster. */
function databaseOf(url: string): string {
  const found = new URL(cluster.connectionString)
  found.pathname = new URL(url).pathname
  return found.href
}

async function forgetRole(): Promise<void> {
  for (const name of databases.splice(0)) await admin.query(`drop database ${name} with (force)`)
  await admin.query('drop role if exists authenticated')
}

/** Whether the owner can do what every request does. */
async function canBecome(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('begin')
    await client.query('set local role authenticated')
    await client.query('select from messages')
    return true
  } finally {
    await client.end()
  }
}

describe('the role of chat', () => {
  it('is made once by an owner with CREATEROLE, in as many databases as there are, all at once', async () => {
    await forgetRole()
    const urls: string[] = []
    for (let n = 0; n < 4; n++) urls.push(await ownedDatabase('maker', 'createrole'))
    await Promise.all(urls.map((url) => migrate(url, log)))
    for (const url of urls) expect(await canBecome(url)).toBe(true)
  })

  it('that is there already is taken, where the owner may', async () => {
    await forgetRole()
    await admin.query('create role authenticated nologin')
    const url = await ownedDatabase('granted')
    await admin.query('grant authenticated to granted')
    await migrate(url, log)
    expect(await canBecome(url)).toBe(true)
  })

  it('is asked for in words that help where the owner may not make it', async () => {
    await forgetRole()
    const url = await ownedDatabase('poor')
    const error: Error = await migrate(url, log).then(
      () => new Error('it was migrated'),
      (thrown) => thrown,
    )
    expect(error.message).toContain('may not create it (CREATEROLE)')
    const advice = 'CREATE ROLE authenticated NOLOGIN NOINHERIT; GRANT authenticated TO poor;'
    expect(error.message).toContain(advice)
    // and not below four hundred lines of SQL
    expect(text()).toContain(advice)
    expect(text()).not.toContain('create table')
    await admin.query(advice)
    await migrate(url, log)
    expect(await canBecome(url)).toBe(true)
  })

  it('is asked for too where it is there and the owner may not become it', async () => {
    await forgetRole()
    await admin.query('create role authenticated nologin')
    // up to 15, who may make roles may be given any
    const url = await ownedDatabase('stranger', (await major()) < 16 ? 'nocreaterole' : 'createrole')
    const error: Error = await migrate(url, log).then(
      () => new Error('it was migrated'),
      (thrown) => thrown,
    )
    expect(error.message).toContain('may not become it')
    await admin.query('GRANT authenticated TO stranger;')
    await migrate(url, log)
    expect(await canBecome(url)).toBe(true)
  })

  it('is refused where it passes over row-level security', async () => {
    await forgetRole()
    await admin.query('create role authenticated nologin bypassrls')
    const url = await ownedDatabase('careful')
    await admin.query('grant authenticated to careful')
    await expect(migrate(url, log)).rejects.toThrow('BYPASSRLS')
  })

  it('and all that was granted to it is made again after a restore into a cluster without it', async () => {
    await forgetRole()
    const url = await ownedDatabase('restored', 'createrole')
    await migrate(url, log)
    // what `pg_dump` and `pg_restore` of one database leave behind in another cluster
    await admin.query('grant authenticated to current_user')
    const whole = new pg.Client({ connectionString: databaseOf(url) })
    await whole.connect()
    await whole.query('drop owned by authenticated')
    await whole.end()
    await admin.query('drop role authenticated')
    await expect(canBecome(url)).rejects.toThrow('does not exist')

    const db = openDatabase(
      openPool({
        connectionString: url,
        maxConnections: 1,
        statementTimeoutMs: 30_000,
        onIdleError: () => {},
      }),
    )
    const missing = (await catalogueDifferences(db)).map(({ kind }) => kind)
    expect([...new Set(missing)]).toEqual(['role', 'policy', 'grant'])
    expect((await mendCatalogue(db)).left).toEqual([])
    expect(await catalogueDifferences(db)).toEqual([])
    await db.destroy()
    expect(await canBecome(url)).toBe(true)
  })

  it('loses what a host has given it by default', async () => {
    await forgetRole()
    await admin.query('create role authenticated nologin')
    const url = await ownedDatabase('hosted')
    await admin.query('grant authenticated to hosted')
    const owner = new pg.Client({ connectionString: url })
    await owner.connect()
    await owner.query('alter default privileges in schema public grant all on tables to authenticated')
    await migrate(url, log)
    const { rows } = await owner.query(
      `select c.relname from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
         and has_table_privilege('authenticated', c.oid, 'select, insert, update, delete') order by 1`,
    )
    expect(rows.map(({ relname }) => relname)).toEqual([
      'conversation_choices',
      'conversation_members',
      'conversations',
      'mentions',
      'messages',
      'reactions',
      'thread_follows',
    ])
    await owner.query('create table later (id int)')
    const later = await owner.query(`select has_table_privilege('authenticated', 'later', 'select') as open`)
    expect(later.rows).toEqual([{ open: false }])
    await owner.end()
  })
})
