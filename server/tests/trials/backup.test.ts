import { createHash } from 'node:crypto'
import { cp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { gunzipSync, gzipSync } from 'node:zlib'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Manifest } from '../../src/platform/backup/manifest.ts'
import { migrationNames } from '../../src/platform/database/schema/migration-names.ts'
import { conversationOf, sendMany } from '../chapters/chat.ts'
import { atriumOf, contentOf, type EmptyOffice, emptyOffice, newFolder } from '../data/archived-offices.ts'
import { type FreshDatabase, freshDatabase } from '../fresh-database.ts'
import { openTestOffice, type TestOffice, testClock } from '../office.ts'
import { newFounder, newMember } from '../people.ts'
import { until } from '../until.ts'

const PICTURE = { key: 'avatars/1/a-picture.webp', bytes: Buffer.from('the bytes of a picture') }
const NAME = 'Before "the" \\ crash'

let database: FreshDatabase
let dataDir: string
let cookie: string
/** Of the office as it was left in the beginning. */
let archive: string
let target: EmptyOffice
const folders: string[] = []

beforeAll(async () => {
  database = await freshDatabase()
  dataDir = await folder()
  const office = await officeOn(database.connectionString, dataDir)
  const founder = await newFounder(office, NAME)
  cookie = founder.cookie
  await newMember(office, founder, 'moderator')
  const { ada, conversation } = await conversationOf(office)
  await sendMany(office, ada, conversation, ['a \\ backslash', 'two\nlines', 'tab\t', '\\N', 'Grüße 🎉'])
  const { storage } = office.office.uploads
  await storage.write(PICTURE.key, PICTURE.bytes, { contentType: 'image/webp', cacheControl: 'private' })
  await office.close()
  archive = await backedUp()
})
afterAll(async () => {
  await database.drop()
  for (const one of folders) await rm(one, { recursive: true, force: true })
})
beforeEach(async () => {
  target = await emptyOffice()
})
afterEach(() => target.drop())

const source = () => ({ connectionString: database.connectionString, dataDir })

function officeOn(connectionString: string, folderOfData: string): Promise<TestOffice> {
  const beside = { database: { ...database, connectionString }, dataDir: folderOfData, clock: testClock() }
  return openTestOffice({ beside: beside as TestOffice })
}

async function folder(): Promise<string> {
  const made = await newFolder()
  folders.push(made)
  return made
}

async function backedUp(): Promise<string> {
  const made = join(await folder(), 'archive')
  await atriumOf(source(), ['backup', made])
  return made
}

/** An archive to be changed, with a manifest that may be changed too. */
async function changed(change: (copy: string, manifest: Manifest) => unknown): Promise<string> {
  const copy = await folder()
  await cp(archive, copy, { recursive: true })
  const path = join(copy, 'manifest.json')
  const manifest = JSON.parse(await readFile(path, 'utf8')) as Manifest
  const other = await change(copy, manifest)
  await writeFile(path, typeof other === 'string' ? other : JSON.stringify(manifest))
  return copy
}

const tableIn = (of: string, name: string) => join(of, 'tables', `${name}.copy.gz`)

async function rowsIn(connectionString: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

describe('a backup', () => {
  it('is everything, table by table, and an office works on what is restored of it', async () => {
    const said = await atriumOf(target, ['restore', archive])
    expect(said).toMatch(/^Restored: \d+ rows of \d+ tables, 1 pictures and files of the chat$/m)
    expect(said).toContain('every table was read again and is the same')
    const content = await contentOf(target.connectionString)
    expect(content).toEqual(await contentOf(database.connectionString))
    expect(Object.values(content).filter((digest) => !/^0 $/.test(digest)).length).toBeGreaterThan(20)
    expect(await atriumOf(target, ['database', 'check'])).toMatch(/as the migrations made them/)

    const office = await officeOn(target.connectionString, target.dataDir)
    try {
      const answer = await fetch(`${office.baseUrl}/user/get`, {
        method: 'POST',
        headers: { cookie: `atrium_session=${cookie}`, 'content-type': 'application/json' },
      })
      expect(answer.status).toBe(200)
      // ids go on behind those that were restored
      const founder = await newFounder(office, 'After')
      expect(founder.organizationId).toMatch(/^org_/)
      const picture = await office.office.uploads.storage.open({ key: PICTURE.key })
      expect(picture).toMatchObject({ contentType: 'image/webp', cacheControl: 'private' })
      expect(await buffer(Readable.from(picture?.bytes ?? []))).toEqual(PICTURE.bytes)
    } finally {
      await office.close()
    }
  })

  it('is of one moment, while people go on working', async () => {
    const own = await freshDatabase()
    const client = new pg.Client({ connectionString: own.connectionString })
    await client.connect()
    let stop = false
    let written = 0
    // each transaction writes one row more into one table, and as many into another that is copied much later
    const write = async () => {
      for (; !stop; written += 1)
        await client.query(`with one as (
            insert into audit_heads (organization_id, sequence, hash) values (${written + 1}, 1, '\\x00') returning 1)
          insert into sandbox_mails (recipient, subject, text_body, html_body, received_at)
            select 'a', '${written}', repeat('long ', 200), 'd', now() from one`)
    }
    try {
      await client.query('alter table audit_heads drop constraint if exists audit_heads_organization_id_fkey')
      const writing = write()
      await until(() => written > 500)
      const before = written
      const made = join(await folder(), 'archive')
      await atriumOf({ connectionString: own.connectionString, dataDir }, ['backup', made])
      const after = written
      stop = true
      await writing
      expect(after).toBeGreaterThan(before)
      const linesOf = async (name: string) =>
        gunzipSync(await readFile(tableIn(made, name)))
          .toString()
          .trimEnd()
          .split('\n')
      const heads = (await linesOf('audit_heads')).length
      expect(await linesOf('sandbox_mails')).toHaveLength(heads)
      expect(heads).toBeGreaterThanOrEqual(before)
      expect(heads).toBeLessThan(written)
    } finally {
      stop = true
      await client.end()
      await own.drop()
    }
  })

  it('holds no key, and nothing that others on the machine can read', async () => {
    const settings = {
      SECRET_KEY: 'canary-key-0123456789abcdefghijklmnop',
      CHAT_TOKEN_SECRET: 'canary-chat-0123456789abcdefghijklmn',
    }
    const made = join(await folder(), 'archive')
    await atriumOf(source(), ['backup', made], settings)
    const names = (await readdir(made, { recursive: true, withFileTypes: true })).filter((one) =>
      one.isFile(),
    )
    expect(names.length).toBeGreaterThan(40)
    for (const { parentPath, name } of names) {
      const path = join(parentPath, name)
      const bytes = await readFile(path)
      expect(`${name.endsWith('.gz') ? gunzipSync(bytes) : bytes}`.includes('canary'), name).toBe(false)
      expect([name, (await stat(path)).mode & 0o077]).toEqual([name, 0])
    }
    expect((await stat(made)).mode & 0o077).toBe(0)
    const { keyFingerprints } = JSON.parse(await readFile(join(made, 'manifest.json'), 'utf8')) as Manifest
    expect(Object.keys(keyFingerprints).sort()).toEqual([
      'BROKER_TOKEN_SECRET',
      'CHAT_TOKEN_SECRET',
      'SECRET_KEY',
    ])
  })

  it('is not written over another one, nor of a database that this release has not made', async () => {
    await expect(atriumOf(source(), ['backup', archive])).rejects.toThrow(/is not empty/)
    const [last] = (await migrationNames()).slice(-1)
    const old = await freshDatabase()
    try {
      const backUp = async () =>
        await atriumOf({ connectionString: old.connectionString, dataDir }, [
          'backup',
          join(await folder(), 'a'),
        ])
      await old.pool.query(`insert into schema_migrations (name, run_on) values ('9999_of-tomorrow', now())`)
      await expect(backUp()).rejects.toThrow(/of a later release, which has applied 9999_of-tomorrow/)
      await old.pool.query(`delete from schema_migrations where name in ('9999_of-tomorrow', $1)`, [last])
      await expect(backUp()).rejects.toThrow(`The database lacks ${last}: run npx atrium migrate first`)
    } finally {
      await old.drop()
    }
  })
})

describe('a restore', () => {
  it('refuses in words what is no whole archive, and changes nothing', async () => {
    const cases: [RegExp, string][] = [
      [/holds no whole archive: manifest.json/, await folder()],
      [/broken: manifest.json cannot be read/, await changed(() => '{"format": 1,')],
      [/broken: manifest.json is not as it was written/, await changed(() => '{"format": 1}')],
      [
        /made by Atrium 9.9.9, in a format that this release does not know/,
        await changed((_copy, manifest) => void Object.assign(manifest, { format: 2, release: '9.9.9' })),
      ],
      [
        /of a later release: this one does not know 9999_of-tomorrow/,
        await changed((_copy, manifest) => void manifest.database.migrations.push('9999_of-tomorrow')),
      ],
      [/users.copy.gz is missing or damaged/, await changed((copy) => rm(tableIn(copy, 'users')))],
      [/users.copy.gz is missing or damaged/, await changed((copy) => truncate(tableIn(copy, 'users'), 40))],
      [
        /users.copy.gz is missing or damaged/,
        await changed(async (copy) => {
          const text = gunzipSync(await readFile(tableIn(copy, 'users'))).toString()
          await writeFile(tableIn(copy, 'users'), gzipSync(text.replace('@', '#')))
        }),
      ],
      [
        /pictures.jsonl is missing or damaged/,
        await changed((copy) => writeFile(join(copy, 'pictures.jsonl'), '{"key":"../../etc/passwd"}\n')),
      ],
      [
        /a-picture.webp is missing or damaged/,
        await changed((copy) => rm(join(copy, 'pictures', PICTURE.key))),
      ],
    ]
    for (const [sentence, broken] of cases)
      await expect(atriumOf(target, ['restore', broken])).rejects.toThrow(sentence)
    expect(
      await rowsIn(target.connectionString, `select relname from pg_class where relname = 'users'`),
    ).toEqual([])
  })

  it('refuses a database with an office in it, or on which an office is open', async () => {
    await atriumOf(target, ['restore', archive])
    const before = await contentOf(target.connectionString)
    await expect(atriumOf(target, ['restore', archive])).rejects.toThrow(/holds an office already/)
    expect(await contentOf(target.connectionString)).toEqual(before)

    const other = await emptyOffice()
    const node = new pg.Client({ connectionString: other.connectionString, application_name: 'atrium jobs' })
    try {
      await node.connect()
      await expect(atriumOf(other, ['restore', archive])).rejects.toThrow(
        /An office is open on this database/,
      )
    } finally {
      await node.end()
      await other.drop()
    }
  })

  it('needs no superuser', async () => {
    const name = new URL(target.connectionString).pathname.slice(1)
    const admin = new pg.Client({ connectionString: target.connectionString })
    await admin.connect()
    try {
      await admin.query(`create role ${name} login createrole password 'of-a-test'`)
      await admin.query(`grant authenticated to ${name} with admin option`)
      await admin.query(`alter database ${name} owner to ${name}`)
      const own = new URL(target.connectionString)
      ;[own.username, own.password] = [name, 'of-a-test']
      await atriumOf({ ...target, connectionString: own.href }, ['restore', archive])
      expect(await contentOf(own.href)).toEqual(await contentOf(database.connectionString))
      expect(await atriumOf({ ...target, connectionString: own.href }, ['database', 'check'])).toMatch(
        /as the migrations/,
      )
      const again = join(await folder(), 'archive')
      await atriumOf({ ...target, connectionString: own.href }, ['backup', again])
    } finally {
      await admin.query(`reassign owned by ${name} to current_user`)
      await admin.query(`alter database ${name} owner to current_user`)
      await admin.query(`drop owned by ${name}`)
      await admin.query(`drop role ${name}`)
      await admin.end()
    }
  })

  it('refuses other keys by the names of their settings, unless it is told to go on', async () => {
    const settings = { SECRET_KEY: 'another-key-0123456789abcdefghijklmnop' }
    await expect(atriumOf(target, ['restore', archive], settings)).rejects.toThrow(
      /SECRET_KEY is not the one of the archive: secrets of single sign-on, .* cannot be opened/,
    )
    const development = 'atrium-development-secret-key-not-for-production'
    const known = { ...settings, SECRET_KEY_PREVIOUS: development }
    const chat = { CHAT_TOKEN_SECRET: 'another-chat-secret-0123456789abcdefghij' }
    await expect(atriumOf(target, ['restore', archive], { ...known, ...chat })).rejects.toThrow(
      /^CHAT_TOKEN_SECRET is not the one/,
    )
    await atriumOf(target, ['restore', archive, '--other-keys'], settings)
    expect(await rowsIn(target.connectionString, 'select 1 from organizations')).not.toEqual([])
  })

  it('leaves no row behind where it fails halfway, and can be tried again', async () => {
    const earlier = await changed(async (copy, { database }) => {
      // a row of an organization that is not there: found when its foreign key is made again
      const table = database.tables.find(({ name }) => name === 'organizations')
      await writeFile(tableIn(copy, 'organizations'), gzipSync(''))
      Object.assign(table ?? {}, { rows: 0, sha256: createHash('sha256').update('').digest('hex') })
    })
    await expect(atriumOf(target, ['restore', earlier])).rejects.toThrow(/violates foreign key/)
    expect(await rowsIn(target.connectionString, 'select 1 from users')).toEqual([])
    await atriumOf(target, ['restore', archive])
    expect(await contentOf(target.connectionString)).toEqual(await contentOf(database.connectionString))
  })
})
