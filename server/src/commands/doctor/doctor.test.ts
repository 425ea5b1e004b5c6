import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { holdDataFolder } from '@atrium/embedded-postgres/hold-data-folder.ts'
import pg from 'pg'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../tests/fresh-database.ts'
import { PRODUCTION } from '../../../tests/operator/production-settings.ts'
import { testCluster } from '../../../tests/run/test-cluster.ts'
import { doctor } from './doctor.ts'
import type { Finding } from './realtime.ts'

/** A checkout in which nothing was started yet. */
const ROOT = join(tmpdir(), 'atrium-of-no-office')
/** No process listens there. */
const NOWHERE = '127.0.0.1:1'

let database: FreshDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp()
})

async function startMailServer(options: SMTPServerOptions): Promise<number> {
  const server = new SMTPServer({ authOptional: true, disabledCommands: ['STARTTLS'], ...options })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  cleanUps.push(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return (server.server.address() as AddressInfo).port
}

/** As another service of images says that it is well: our own takes a second to start, for each look. */
let imageCheck: Server
beforeAll(async () => {
  imageCheck = createServer((_request, response) => response.end()).listen(0, '127.0.0.1')
  await once(imageCheck, 'listening')
})
afterAll(() => void imageCheck.close())

async function findingOf(part: string, environment: Record<string, string>): Promise<Finding> {
  const { port } = imageCheck.address() as AddressInfo
  const all = await doctor({ IMAGE_CHECK_URL: `http://127.0.0.1:${port}`, ...environment }, ROOT)
  const found = all.find((finding) => finding.part === part)
  if (!found) throw new Error(`nothing was said about ${part}`)
  return found
}

function databaseUrl(changes: { password?: string; pathname?: string }): string {
  return Object.assign(new URL(database.connectionString), changes).href
}

describe('the doctor', () => {
  it('finds an office that needs nothing well', async () => {
    expect(await doctor({ PORT: '1' }, ROOT)).toEqual([
      { part: 'configuration', ok: true, says: 'complete for development' },
      { part: 'connections', ok: true, says: expect.stringContaining('room for') },
      {
        part: 'database',
        ok: true,
        says: expect.stringContaining(`embedded, in ${ROOT}/.atrium, which the first`),
      },
      { part: 'mail', ok: true, says: expect.stringContaining('sandbox inbox') },
      { part: 'storage', ok: true, says: expect.stringContaining(`${ROOT}/.atrium/storage`) },
      { part: 'image check', ok: true, says: expect.stringContaining('beside the server') },
      { part: 'broker', ok: true, says: expect.stringContaining('embedded') },
      { part: 'media server', ok: true, says: expect.stringContaining('embedded, for a few people') },
    ])
  })

  it('names every setting that is wrong', async () => {
    const findings = await doctor({ ATRIUM_ENV: 'production', PORT: 'x', MAIL_FROM: 'nobody' }, ROOT)
    expect(findings.map(({ part, ok }) => [part, ok])).toEqual(
      Array.from({ length: 6 }, () => ['configuration', false]),
    )
    for (const name of ['PORT', 'BASE_URL', 'SECRET_KEY', 'SMTP_URL', 'MAIL_FROM', 'DATABASE_URL']) {
      expect(findings.filter(({ says }) => says.startsWith(name))).toHaveLength(1)
    }
  })

  it('looks at every part, though one before it is wrong', async () => {
    const port = await startMailServer({})
    const findings = await doctor(
      { DATABASE_URL: `postgres://u:p@${NOWHERE}/x`, SMTP_URL: `smtp://127.0.0.1:${port}`, PORT: '1' },
      ROOT,
    )
    expect(findings.map(({ part, ok }) => [part, ok])).toEqual([
      ['configuration', true],
      ['connections', true],
      ['database', false],
      ['mail', true],
      ['storage', true],
      ['image check', true],
      ['broker', true],
      ['media server', true],
    ])
  })

  it('says which settings to look at where LiveKit is away, and not its secret', async () => {
    const LIVEKIT_API_SECRET = 'canary-canary-canary-canary-canary'
    const livekit = { LIVEKIT_URL: `http://${NOWHERE}`, LIVEKIT_API_KEY: 'devkey', LIVEKIT_API_SECRET }
    const { ok, says } = await findingOf('media server', livekit)
    expect([ok, says.includes('Check LIVEKIT_URL'), says.includes('canary')]).toEqual([false, true, false])
  })
})

describe('the doctor on DATABASE_URL', () => {
  it('names the setting where a certificate that it names cannot be read', async () => {
    const url = new URL(database.connectionString)
    url.search = '?sslmode=verify-full&sslrootcert=/nowhere/ca.pem'
    const { ok, says } = await findingOf('database', { DATABASE_URL: url.href })
    expect(ok).toBe(false)
    expect(says).toMatch(
      /^The database at 127\.0\.0\.1:.* cannot be used: .*\/nowhere\/ca\.pem.* Check DATABASE_URL\.$/,
    )
  })

  it('says what answers there', async () => {
    const finding = await findingOf('database', { DATABASE_URL: database.connectionString })
    expect(finding.ok).toBe(true)
    expect(finding.says).toMatch(/^PostgreSQL \d+ at 127\.0\.0\.1:\d+\/test_\w+$/)
  })

  it.each<[string, () => string, RegExp]>([
    ['nobody listens', () => `postgres://u:canary@${NOWHERE}/x`, /127\.0\.0\.1:1\/x .*ECONNREFUSED/],
    ['there is no such host', () => 'postgres://u:canary@nowhere.invalid/x', /nowhere\.invalid:5432\/x/],
    ['the password is wrong', () => databaseUrl({ password: 'canary' }), /password auth/],
    ['there is no such database', () => databaseUrl({ pathname: '/none' }), /"none" does not/],
  ])('says that %s, and never the password', async (_case, url, says) => {
    const finding = await findingOf('database', { DATABASE_URL: url() })
    expect(finding.ok).toBe(false)
    expect(finding.says).toMatch(says)
    expect(finding.says).toContain('Check DATABASE_URL.')
    expect(finding.says).not.toContain('canary')
    expect(finding.says).not.toContain(new URL(url()).password)
    expect(finding.says).not.toContain('\n')
  })
})

describe('the doctor on DATA_DIR', () => {
  async function folder(): Promise<string> {
    const made = await mkdtemp(join(tmpdir(), 'atrium-doctor-'))
    cleanUps.push(() => rm(made, { recursive: true, force: true }))
    return made
  }

  it('takes a folder that is there, leaves it as it is, and says who uses it', async () => {
    const DATA_DIR = await folder()
    const free = await findingOf('database', { DATA_DIR })
    expect(free).toMatchObject({ ok: true, says: expect.stringContaining(`embedded, in ${DATA_DIR} (`) })
    expect(await readdir(DATA_DIR)).toEqual([])
    const hold = await holdDataFolder(DATA_DIR, () => ({ pid: 4_711, url: 'http://localhost:1' }))
    const held = await findingOf('database', { DATA_DIR })
    await hold.release()
    const says = expect.stringContaining('in use by process 4711 http://localhost:1')
    expect(held).toMatchObject({ ok: true, says })
  })

  it.each(['file', 'file/below'])('says that it can be none: %s', async (path) => {
    const made = await folder()
    await writeFile(join(made, 'file'), '')
    const finding = await findingOf('database', { DATA_DIR: join(made, path) })
    expect(finding.ok).toBe(false)
    expect(finding.says).toMatch(/^The data folder .*\. Check DATA_DIR\.$/)
  })
})

describe('the doctor on SMTP_URL', () => {
  it('warns of a sender that other servers do not know, in production', async () => {
    const port = await startMailServer({})
    const settings = {
      ...PRODUCTION,
      SMTP_URL: `smtp://127.0.0.1:${port}`,
    }
    const finding = await findingOf('mail', settings)
    expect(finding).toMatchObject({ ok: true, warns: true, says: expect.stringContaining('Set MAIL_FROM') })
    const own = await findingOf('mail', { ...settings, MAIL_FROM: 'Office <office@example.com>' })
    expect(own).toEqual({ part: 'mail', ok: true, says: `127.0.0.1:${port} accepts us` })
  })

  it('says that the server accepts us, without sending anything', async () => {
    let mails = 0
    const port = await startMailServer({
      onMailFrom: (_address, _session, done) => {
        mails += 1
        done()
      },
    })
    const finding = await findingOf('mail', { SMTP_URL: `smtp://127.0.0.1:${port}` })
    expect(finding).toEqual({ part: 'mail', ok: true, says: `127.0.0.1:${port} accepts us` })
    expect(mails).toBe(0)
  })

  it('says to use smtp:// where a server that begins in plain text is asked by smtps://, in place of the words of OpenSSL', async () => {
    const port = await startMailServer({})
    const { ok, says } = await findingOf('mail', { SMTP_URL: `smtps://127.0.0.1:${port}` })
    expect(ok).toBe(false)
    expect(says).toContain('use smtp:// in place of smtps://')
    expect(says).not.toContain('routines')
  })

  it.each<[string, SMTPServerOptions | undefined, RegExp]>([
    ['nobody listens', undefined, /the mail server cannot be reached: connect ECONNREFUSED/],
    [
      'the password is wrong',
      { authOptional: false, onAuth: (_auth, _session, done) => done(new Error('canary')) },
      /the mail server refuses user or password \(EAUTH 535/,
    ],
    ['the server is closed to us', { onConnect: (_session, done) => done(new Error('canary')) }, /5\d\d/],
  ])('says that %s, and never the password', async (_case, server, says) => {
    const host = server ? `127.0.0.1:${await startMailServer(server)}` : NOWHERE
    const finding = await findingOf('mail', { SMTP_URL: `smtp://somebody:canary@${host}` })
    expect(finding.ok).toBe(false)
    expect(finding.says).toMatch(says)
    expect(finding.says).toContain(`${host} does not take mails`)
    expect(finding.says).toContain('in SMTP_URL.')
    expect(finding.says).not.toContain('canary')
  })
})

describe('the doctor, of the role that chat works as', () => {
  let cluster: Awaited<ReturnType<typeof testCluster>>
  let admin: pg.Client
  beforeAll(async () => {
    cluster = await testCluster()
    admin = new pg.Client({ connectionString: cluster.connectionString })
    await admin.connect()
    await admin.query('grant create on schema public to public')
  })
  afterAll(async () => {
    await admin.end()
    await cluster.stop()
  })
  const roles = async () => {
    const { rows } = await admin.query(`select rolname from pg_roles where rolname !~ '^pg_' order by 1`)
    return rows.map(({ rolname }) => rolname)
  }
  async function findingFor(user: string, attributes = ''): Promise<Finding> {
    await admin.query(`create role "${user}" login password 'x' ${attributes}`)
    return await findingAgain(user)
  }
  async function findingAgain(user: string): Promise<Finding> {
    const before = await roles()
    const url = new URL(cluster.connectionString)
    ;[url.username, url.password] = [user, 'x']
    const finding = await findingOf('chat role', { DATABASE_URL: url.href })
    // every trial was taken back
    expect(await roles()).toEqual(before)
    return finding
  }

  it('says who may make it, and how to mend it where the user may not', async () => {
    expect(await findingFor('maker', 'createrole')).toMatchObject({
      ok: true,
      says: 'maker may make the role "authenticated"',
    })
    const poor = await findingFor('Poor User')
    expect(poor).toMatchObject({ ok: false, says: expect.stringContaining('may not create it') })
    const advice = /run: (.+;) \(docs/.exec(poor.says)?.[1] ?? ''
    expect(advice).toBe('CREATE ROLE authenticated NOLOGIN NOINHERIT; GRANT authenticated TO "Poor User";')
    await admin.query(advice)
    expect(await findingAgain('Poor User')).toMatchObject({
      ok: true,
      says: expect.stringContaining('may work as'),
    })
    const stranger = await findingFor('stranger')
    expect(stranger).toMatchObject({
      ok: false,
      says: expect.stringContaining('may not become it. Have an administrator of the database run: GRANT'),
    })
  })

  it('refuses one that passes over row-level security', async () => {
    await admin.query('alter role authenticated bypassrls')
    const finding = await findingFor('careful')
    expect(finding).toMatchObject({ ok: false, says: expect.stringContaining('NOBYPASSRLS;') })
    await admin.query(/run: (.+;)/.exec(finding.says)?.[1] ?? '')
    expect((await findingAgain('Poor User')).ok).toBe(true)
  })
})
