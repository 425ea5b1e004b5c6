import { randomBytes } from 'node:crypto'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { DEVELOPMENT_SECRET_KEY } from '../../src/configuration/settings.ts'
import { tellFigures } from '../faults/figures.ts'
import { type FreshDatabase, freshDatabase } from '../fresh-database.ts'
import { canBecomeNobody, NOBODY, openProcessHarness, postgresOf, type RunOptions } from './office-process.ts'

const harness = openProcessHarness()
afterEach(() => harness.clear())

let database: FreshDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

/** What a start that must fail says: lines for a person and nothing else. */
async function refusalOf(options: RunOptions): Promise<string[]> {
  const settings = { LOG_LEVEL: 'fatal', ...options.settings }
  const running = harness.run(['serve'], { ...options, settings })
  const ending = await running.ended
  expect(ending, running.stdout()).toEqual({ code: 1, signal: null })
  expect(running.stdout()).toBe('')
  const lines = running.stderr().trimEnd().split('\n')
  for (const line of lines) expect(line).toMatch(/^atrium: \S/)
  expect(running.stderr()).not.toMatch(/\n\s+at |node:internal|\.ts:\d+|undefined|\[object/)
  return lines
}

const production = {
  ATRIUM_ENV: 'production',
  BASE_URL: 'https://x.example',
  SMTP_URL: 'smtp://127.0.0.1:1',
  EMBEDDED_DATABASE: 'true',
}

describe('a start is refused in words', () => {
  it('where the port is in use', async () => {
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', () => resolve()))
    const { port } = taken.address() as { port: number }
    const folder = await harness.folder()
    const [line, ...more] = await refusalOf({ settings: { PORT: String(port), DATA_DIR: folder } })
    taken.close()
    expect(line).toContain(`Port ${port} is in use`)
    expect(line).toContain(`PORT=${port + 1}`)
    expect(more).toEqual([])
    // it had opened its database by then
    expect(await postgresOf(folder)).toBeUndefined()
  })

  it('where the port of the metrics is in use, by its own setting; the log tells of it no second time', async () => {
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', () => resolve()))
    const { port } = taken.address() as { port: number }
    for (const setting of ['PORT', 'METRICS_PORT']) {
      const folder = await harness.folder()
      const settings = { PORT: '0', [setting]: String(port), DATA_DIR: folder, LOG_LEVEL: 'warn' }
      const lines = await refusalOf({ settings })
      expect(lines).toEqual([
        `atrium: Port ${port} is in use by another program. Choose another one: ${setting}=${port + 1} npm start`,
      ])
    }
    taken.close()
  })

  it('where another office has the data folder, which goes on undisturbed', async (context) => {
    const folder = await harness.folder()
    const first = await harness.serve({ settings: { DATA_DIR: folder } })
    const begin = performance.now()
    await refusalOf({ settings: { PORT: 'none' } })
    const between = performance.now()
    const lines = await refusalOf({ settings: { DATA_DIR: folder } })
    tellFigures(context, { startOfNodeMs: between - begin, refusalMs: performance.now() - between })
    // about a second beside the start of Node itself, which takes its time on a busy machine
    expect(performance.now() - between).toBeLessThan(3 * (between - begin) + 2_000)
    expect(lines).toEqual([
      `atrium: Another Atrium (process ${first.pid}, ${first.url}) is using ${folder}. Stop it, or start this one with another DATA_DIR.`,
    ])
    expect((await fetch(`${first.url}/health/ready`)).status).toBe(200)
  })

  it.each<[string, () => string, RegExp]>([
    ['refuses', () => 'postgres://u:canary@127.0.0.1:1/x', /127\.0\.0\.1:1\/x .*ECONNREFUSED/],
    ['wants another password', () => withPassword('canary'), /password authentication failed/],
  ])('where the database %s', async (_case, url, says) => {
    const [line, ...more] = await refusalOf({ settings: { DATABASE_URL: url() } })
    expect(line).toMatch(says)
    expect(line).toContain('DATABASE_URL')
    expect(line).not.toContain('canary')
    expect(more).toEqual([])
  })

  it.each(['migrate', 'serve'])(
    'and ends at once though no reader of its output is left: %s',
    async (command) => {
      const name = `closed_${randomBytes(5).toString('hex')}`
      const { pool } = database
      await pool.query(`create role ${name} login password 'secret'`)
      await pool.query(`create database ${name} owner ${name}`)
      const url = new URL(database.connectionString)
      Object.assign(url, { username: name, password: 'secret', pathname: `/${name}` })
      // it may not have the role of chat, which a migration finds out, and the log tells
      const running = harness.run([command], { settings: { DATABASE_URL: url.href, LOG_LEVEL: 'info' } })
      running.closeOutput()
      expect(await running.ended).toEqual({ code: 1, signal: null })
      await pool.query(`drop database ${name}`)
      await pool.query(`drop role ${name}`)
    },
  )

  it('where production lacks what it needs, all of it at once', async () => {
    const lines = await refusalOf({ settings: { ATRIUM_ENV: 'production' } })
    expect(lines.map((line) => line.split(' ')[1])).toEqual([
      'BASE_URL',
      'SECRET_KEY',
      'SMTP_URL',
      'DATABASE_URL',
    ])
  })

  it('where the secret of production is the public one', async () => {
    const lines = await refusalOf({ settings: { ...production, SECRET_KEY: DEVELOPMENT_SECRET_KEY } })
    expect(lines).toEqual([expect.stringContaining('SECRET_KEY is the public default of development')])
  })

  it('where settings make no sense, each of them by name', async () => {
    const settings = {
      PORT: 'http',
      BASE_URL: 'here',
      ALLOWED_ORIGINS: 'everybody',
      TRUST_PROXY: 'proxy.example',
      MAIL_FROM: 'nobody',
      LOG_LEVEL: 'loud',
      CALENDAR_ENABLED: 'perhaps',
    }
    const lines = await refusalOf({ settings })
    expect(lines.map((line) => /^atrium: (\w+)/.exec(line)?.[1]).sort()).toEqual(Object.keys(settings).sort())
  })

  it.each(['nowhere.invalid', '192.0.2.1'])('where this machine is not %s', async (host) => {
    const lines = await refusalOf({ settings: { HOST: host, DATABASE_URL: database.connectionString } })
    expect(lines).toEqual([`atrium: ${host} is no address of this machine. Check HOST.`])
  })

  it('where the data folder would lie in a file', async () => {
    const file = join(await harness.folder(), 'file')
    await writeFile(file, '')
    const lines = await refusalOf({ settings: { DATA_DIR: join(file, 'data') } })
    expect(lines).toEqual([expect.stringContaining(`cannot use ${file}/data: a part of its path is a file`)])
    expect(lines[0]).toContain('DATA_DIR')
  })

  it.skipIf(!canBecomeNobody)('where the user may not write there (needs root to become one)', async () => {
    const folder = await harness.folder()
    const mine = join(folder, 'mine')
    await mkdir(mine)
    await chmod(mine, 0o755)
    for (const path of [mine, join(folder, 'new')]) {
      const lines = await refusalOf({ user: NOBODY, settings: { DATA_DIR: path } })
      expect(lines).toEqual([expect.stringContaining(`cannot use ${path}: this user may not write there`)])
      expect(lines[0]).toContain('DATA_DIR')
    }
  })
})

function withPassword(password: string): string {
  return Object.assign(new URL(database.connectionString), { password }).href
}
