import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import { migrationNames } from '../../src/platform/database/schema/migration-names.ts'
import { hashToken } from '../../src/platform/secrets/secret.ts'
import { VERSION } from '../../src/platform/version.ts'
import { type FreshDatabase, freshDatabase } from '../fresh-database.ts'
import { until } from '../until.ts'
import { hasListener, openProcessHarness, postgresOf, type RunOptions } from './office-process.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const NODE_MIN = 26
/** Of the machine, where that is older than what the office runs on. */
const oldNode = ['/usr/bin/node', '/usr/local/bin/node'].find(
  (path) => existsSync(path) && majorOf(path) < NODE_MIN,
)

const harness = openProcessHarness()
afterEach(() => harness.clear())

let database: FreshDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

function majorOf(node: string): number {
  return Number(execFileSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' }).split('.')[0])
}

async function outcomeOf(args: string[], options: RunOptions = {}) {
  const running = harness.run(args, options)
  const { code } = await running.ended
  return { code, stdout: running.stdout(), stderr: running.stderr() }
}

/** A checkout of its own, which shares the packages of this one. */
async function copyCheckout(): Promise<{ folder: string; entry: string }> {
  const folder = await harness.folder()
  for (const part of ['bin', 'src', 'migrations', 'package.json'])
    await cp(join(ROOT, 'server', part), join(folder, 'server', part), { recursive: true })
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  return { folder, entry: join(folder, 'server/bin/atrium.js') }
}

describe('the command line', () => {
  it('says its version, and what it can do', async () => {
    expect(await outcomeOf(['--version'])).toEqual({ code: 0, stdout: `${VERSION}\n`, stderr: '' })
    const { code, stdout } = await outcomeOf(['--help'])
    expect(code).toBe(0)
    for (const command of ['serve', 'migrate', 'doctor', 'openapi', 'database-url', 'domain', 'sso'])
      expect(stdout).toMatch(new RegExp(`^ {2}${command}\\b`, 'm'))
  })

  it('refuses what it does not know', async () => {
    const { code, stdout, stderr } = await outcomeOf(['serve', '--nonsense'])
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^error: unknown option '--nonsense'/)
  })

  it('prints the OpenAPI document, and nothing but it', async () => {
    const { code, stdout } = await outcomeOf(['openapi'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ openapi: '3.1.0', info: { version: VERSION } })
  })

  it('brings a schema up to date, once', async () => {
    const name = `migrated_${process.pid}_${Date.now()}`
    const admin = new pg.Client({ connectionString: inject('adminConnectionString') })
    await admin.connect()
    await admin.query(`create database ${name}`)
    const url = Object.assign(new URL(inject('adminConnectionString')), { pathname: `/${name}` }).href
    const settings = { DATABASE_URL: url }
    expect(await outcomeOf(['migrate'], { settings })).toEqual({
      code: 0,
      stdout: `Applied ${(await migrationNames()).join(', ')}\n`,
      stderr: '',
    })
    expect((await outcomeOf(['migrate'], { settings })).stdout).toBe('The schema is up to date\n')
    await admin.query(`drop database ${name}`)
    await admin.end()
  })

  it('knows the address of a database only while it is there', async () => {
    const settings = { DATA_DIR: await harness.folder() }
    const closed = await outcomeOf(['database-url'], { settings })
    expect(closed).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('is not open') })
    await harness.serve({ settings })
    const { code, stdout } = await outcomeOf(['database-url'], { settings })
    expect(code).toBe(0)
    const client = new pg.Client({ connectionString: stdout.trim() })
    await client.connect()
    expect((await client.query('select count(*) from users')).rows).toHaveLength(1)
    await client.end()
  })

  it('brings the schema of an embedded database up to date that is not open', async () => {
    const settings = { DATA_DIR: await harness.folder() }
    expect(await outcomeOf(['migrate'], { settings })).toMatchObject({ code: 0 })
    const outcome = await outcomeOf(['organization', 'verify-audit', 'org_0123456789'], { settings })
    expect(outcome).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is no organization org_0123456789'),
    })
  })
})

describe('a command with the settings of no office', () => {
  it('ends with 1, says where it looked and what to set, and makes nothing', async () => {
    const dataDir = join(await harness.folder(), 'typo')
    const archive = join(await harness.folder(), 'archive')
    const { code, stdout, stderr } = await outcomeOf(['backup', archive], { settings: { DATA_DIR: dataDir } })
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(
      new RegExp(`^atrium: There is no office in ${dataDir}, .* DATA_DIR or DATABASE_URL`),
    )
    expect([existsSync(dataDir), existsSync(archive)]).toEqual([false, false])
  })
})

describe('commands for operators', () => {
  const settings = () => ({ DATABASE_URL: database.connectionString })
  const done = async (...args: string[]) => {
    const outcome = await outcomeOf(args, { settings: settings() })
    expect(outcome).toMatchObject({ code: 0 })
    return outcome.stdout.trim()
  }
  const refused = async (...args: string[]) => {
    const { code, stdout, stderr } = await outcomeOf(args, { settings: settings() })
    expect([code, stdout]).toEqual([1, ''])
    return stderr
  }

  it('makes a pilot token that is stored hashed, and works as long as it should', async () => {
    const token = await done('pilot-token', 'create', '--note', 'Acme', '--days', '2')
    expect(token).toMatch(/^pilot_[\w-]{43}$/)
    const { rows } = await database.pool.query(
      `select note, extract(epoch from expires_at - created_at)::int as seconds from pilot_tokens
        where token_hash = $1`,
      [hashToken(token)],
    )
    expect(rows).toEqual([{ note: 'Acme', seconds: 2 * 24 * 60 * 60 }])
    expect(await refused('pilot-token', 'create', '--days', '0')).toContain('--days must be')
  })
})

describe('the doctor', () => {
  it('looks into the embedded database, whether its office is open or not, and leaves it as it was', async () => {
    const settings = { DATA_DIR: await harness.folder(), ATRIUM_ENV: 'development', PORT: '1' }
    const examined = async (more: Record<string, string> = {}) => {
      const { stdout } = await outcomeOf(['doctor'], { settings: { ...settings, ...more } })
      return stdout.split('\n').filter((line) => /^. (schema|keys|background work)/.test(line))
    }
    expect(await examined()).toEqual([])
    const office = await harness.serve({ settings: { ...settings, PORT: '0' } })
    const well = [
      '✓ schema: as the migrations make it',
      expect.stringMatching(/^✓ keys: /),
      expect.any(String),
    ]
    expect(await examined()).toEqual(well)
    expect((await fetch(`${office.url}/health/ready`)).status).toBe(200)
    await office.stop()
    expect(await examined()).toEqual(well)
    const another = { SECRET_KEY: 'q7ZtR2vXk9LmW4sBfN8cHyD3pGjT6uAe1oKx5iVrQwM' }
    expect((await examined(another))[1]).toMatch(/^✗ keys: No key that is set opens: 1 /)
    expect(await postgresOf(settings.DATA_DIR)).toBeUndefined()
  })

  it('ends well where everything is', async () => {
    const { code, stdout } = await outcomeOf(['doctor'], {
      settings: { DATABASE_URL: database.connectionString },
    })
    expect(stdout.trim().split('\n')).toEqual([
      '✓ configuration: complete for test',
      expect.stringMatching(/^✓ connections: room for /),
      expect.stringMatching(/^✓ database: PostgreSQL \d+ at /),
      expect.stringMatching(/^✓ database connections: room for /),
      expect.stringMatching(/^✓ chat role: /),
      '✓ schema: as the migrations make it',
      '✓ keys: everything that is sealed opens with SECRET_KEY',
      '✓ background work: nothing was given up',
      '✓ clock: as that of the database',
      expect.stringMatching(/^✓ mail: /),
      expect.stringMatching(/^✓ storage: files in /),
      expect.stringMatching(/^✓ image check: /),
      expect.stringMatching(/^✓ broker: embedded/),
      expect.stringMatching(/^✓ media server: /),
    ])
    expect(code).toBe(0)
  })

  it('ends with 1 where something is not, and says how to mend it', async () => {
    const { code, stdout, stderr } = await outcomeOf(['doctor'], {
      settings: {
        DATABASE_URL: 'postgres://u:canary@127.0.0.1:1/x',
        SMTP_URL: 'smtp://u:canary@127.0.0.1:1',
      },
    })
    expect(code).toBe(1)
    expect(stdout).toMatch(/^✗ database: .*Check DATABASE_URL\.$/m)
    expect(stdout).toMatch(/^✗ mail: .*in SMTP_URL\.$/m)
    expect(stdout + stderr).not.toContain('canary')
  })
})

describe('a file .env', () => {
  it('gives settings, and those of the environment win', async () => {
    const { folder, entry } = await copyCheckout()
    await writeFile(join(folder, '.env'), '# ours\nMAIL_FROM=nobody\nPORT="http"\nDATA_DIR=here\n')
    const said = async (settings: Record<string, string>) =>
      (await outcomeOf(['doctor'], { entry, settings, unset: ['MAIL_FROM', 'PORT', 'DATA_DIR'] })).stdout
    expect(await said({})).toMatch(/PORT is "http".*\n.*MAIL_FROM: "nobody"/)
    expect(await said({ PORT: '0', MAIL_FROM: 'a@example.com' })).toContain(`embedded, in ${folder}/here`)
  })
})

describe.skipIf(!oldNode)('an older Node (needs one on this machine)', () => {
  it('hands over to the one that comes with the packages', async () => {
    expect(await outcomeOf(['--version'], { node: oldNode ?? '' })).toEqual({
      code: 0,
      stdout: `${VERSION}\n`,
      stderr: '',
    })
    const failed = await outcomeOf(['serve'], { node: oldNode ?? '', settings: { PORT: 'http' } })
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('PORT is "http"') })
  })

  it('opens and closes an office like any other', async () => {
    const settings = { DATABASE_URL: database.connectionString }
    const office = await harness.serve({ node: oldNode ?? '', settings })
    await until(async () => (await fetch(`${office.url}/health/ready`)).status === 200)
    expect(await office.stop()).toEqual({ code: 0, signal: null })
    expect(await hasListener(Number(new URL(office.url).port))).toBe(false)
  })

  it('leaves no office behind when it is killed', async () => {
    const settings = { DATABASE_URL: database.connectionString }
    const office = await harness.serve({ node: oldNode ?? '', settings })
    office.kill('SIGKILL')
    const port = Number(new URL(office.url).port)
    await expect.poll(() => hasListener(port)).toBe(false)
  })

  it('says what to do where there is no other', async () => {
    const folder = await harness.folder()
    await cp(join(ROOT, 'server/bin'), join(folder, 'server/bin'), { recursive: true })
    await cp(join(ROOT, 'server/package.json'), join(folder, 'server/package.json'))
    const entry = join(folder, 'server/bin/atrium.js')
    const { code, stdout, stderr } = await outcomeOf(['serve'], { node: oldNode ?? '', entry })
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
    expect(stderr).toContain(`Atrium needs Node ${NODE_MIN} or newer; this is v`)
    expect(stderr).toContain(`Run "npm ci" in ${folder}`)

    // one that is no better than the other must not call itself for ever
    await mkdir(join(folder, 'node_modules/.bin'), { recursive: true })
    await writeFile(join(folder, 'node_modules/.bin/node'), `#!/bin/sh\nexec ${oldNode} "$@"\n`)
    await chmod(join(folder, 'node_modules/.bin/node'), 0o755)
    const relaunched = await outcomeOf(['serve'], { node: oldNode ?? '', entry })
    expect(relaunched).toMatchObject({ code: 1, stderr: expect.stringContaining('Atrium needs Node') })
  })
})
