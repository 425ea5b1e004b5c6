import { createHash } from 'node:crypto'
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { gunzipSync, gzipSync } from 'node:zlib'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { archiveConnection } from '../../src/platform/backup/archive-database.ts'
import type { Manifest } from '../../src/platform/backup/manifest.ts'
import { migrationNames } from '../../src/platform/database/schema/migration-names.ts'
import { atriumOf, type EmptyOffice, emptyOffice, newFolder } from '../data/archived-offices.ts'
import { openTestOffice, type TestOffice, testClock } from '../office.ts'
import { mailsTo, signInAgain } from '../people.ts'

/** An archive of each release, as its own `atrium backup` wrote it: people, rooms, chat, single sign-on, pictures. */
const RELEASES = join(import.meta.dirname, '../fixtures/releases')
const releases = await readdir(RELEASES)

let target: EmptyOffice
beforeEach(async () => {
  target = await emptyOffice()
})
afterEach(() => target.drop())

const manifestOf = async (folder: string) =>
  JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as Manifest

async function rowsIn<Row>(statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: target.connectionString })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

/** @param tables with rows that must all be there still */
async function expectAtHead(tables: Manifest['database']['tables']): Promise<void> {
  const applied = await rowsIn<{ name: string }>('select name from schema_migrations order by id')
  expect(applied.map(({ name }) => name)).toEqual(await migrationNames())
  expect(await atriumOf(target, ['database', 'check'])).toMatch(/as the migrations made them/)
  for (const { name, rows } of tables) {
    const [found] = await rowsIn<{ count: number }>(`select count(*)::int as count from "${name}"`)
    expect([name, found?.count]).toEqual([name, rows])
  }
}

/** Migrations that have written rows of these tables again. */
const REWRITERS = {
  // the chain covers salted commitments, and its heads of before are kept
  '0032_erasable-audit': ['audit_entries', 'audit_heads'],
}

function rewrittenSince({ migrations }: Manifest['database']): string[] {
  const later = Object.entries(REWRITERS).filter(([migration]) => !migrations.includes(migration))
  return later.flatMap(([, tables]) => tables)
}

/** Every row of an archive as `COPY` writes it, without an order. */
async function archivedRows(archive: string, table: string): Promise<string[]> {
  return gunzipSync(await readFile(join(archive, 'tables', `${table}.copy.gz`)))
    .toString()
    .split('\n')
    .sort()
}

/** The same columns of the same table as they are now; undefined where one of them is gone. */
async function rowsNow({ name, columns }: Manifest['database']['tables'][number]) {
  const client = await archiveConnection(target.connectionString)
  try {
    const listed = columns.map((column) => `"${column}"`).join(', ')
    return (await text(client.query(copyTo(`copy public."${name}" (${listed}) to stdout`))))
      .split('\n')
      .sort()
  } catch {
    return undefined
  } finally {
    await client.end()
  }
}

/** Tables with other rows than the archive. */
async function changedTables(archive: string, { tables }: Manifest['database']): Promise<string[]> {
  const changed: string[] = []
  for (const table of tables) {
    if (table.name === 'schema_migrations') continue
    const [before, now] = [await archivedRows(archive, table.name), await rowsNow(table)]
    if (JSON.stringify(before) !== JSON.stringify(now)) changed.push(table.name)
  }
  return changed
}

const KEPT = ['users', 'organizations', 'memberships', 'rooms', 'messages', 'audit_entries', 'guest_invites']

describe.each(releases)('a database of release %s', (release) => {
  const archive = join(RELEASES, release)

  it('is brought to this one, whatever lies between, and people go on', async () => {
    const { database } = await manifestOf(archive)
    await atriumOf(target, ['restore', archive])
    await expectAtHead(database.tables.filter(({ name }) => KEPT.includes(name)))
    // every row of every table, column by column as it was
    expect(await changedTables(archive, database)).toEqual(rewrittenSince(database))

    const beside = { database: { connectionString: target.connectionString }, dataDir: target.dataDir }
    const office = await openTestOffice({ beside: { ...beside, clock: testClock() } as TestOffice })
    try {
      const [known] = await rowsIn<{ email: string; id: string }>(
        `select u.email, u.id::text from users u join memberships m on m.user_id = u.id
          where u.avatar_key is not null and m.status = 'active' limit 1`,
      )
      const email = known?.email as string
      const { browser } = await signInAgain(office, email)
      expect(await mailsTo(office, email)).not.toEqual([])
      const user = await browser.call('getCurrentUser', {})
      expect(user).toMatchObject({ id: known?.id, organizationMemberships: [{ status: 'active' }] })
      const { pathname } = new URL(user.avatarUrl as string)
      expect((await fetch(new URL(pathname, office.baseUrl))).status).toBe(200)
    } finally {
      await office.close()
    }
  })
})

it('an archive of a schema before that is brought here as well', async () => {
  const folder = await newFolder()
  try {
    await cp(join(RELEASES, '0.1.0'), folder, { recursive: true })
    const manifest = await manifestOf(folder)
    const { database } = manifest
    expect(database.migrations.pop()).toBe('0030_webhooks')
    database.tables = database.tables.filter(({ name }) => !name.startsWith('webhook'))
    database.sequences = database.sequences.filter(({ name }) => !name.startsWith('webhook'))
    const path = join(folder, 'tables/schema_migrations.copy.gz')
    const text = gunzipSync(await readFile(path))
      .toString()
      .replace(/.*0030_webhooks.*\n/, '')
    await writeFile(path, gzipSync(text))
    const sha256 = createHash('sha256').update(text).digest('hex')
    const table = database.tables.find(({ name }) => name === 'schema_migrations')
    Object.assign(table ?? {}, { rows: database.migrations.length, sha256 })
    await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest))

    await atriumOf(target, ['restore', folder])
    await expectAtHead(database.tables.filter(({ name }) => KEPT.includes(name)))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
