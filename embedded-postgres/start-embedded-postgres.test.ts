import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { mkdir, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openTestHarness, query, recordingLog } from '@atrium/server/tests/run/test-harness.ts'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { chooseAccount, giveTo } from './account.ts'
import { dataOf } from './placement.ts'
import { readPostmasterFile } from './postmaster-file.ts'
import { startEmbeddedPostgres } from './start-embedded-postgres.ts'

const harness = openTestHarness()
afterAll(() => harness.clear(), 60_000)
vi.setConfig({ testTimeout: 90_000 })

/** For clusters that only have to live as long as their test. */
const settings = { fsync: 'off' }

async function pidOf(home: string): Promise<number> {
  const file = await readPostmasterFile(dataOf(home))
  if (file === undefined || file === 'empty') throw new Error('no server')
  return file.pid
}

describe('a data folder', () => {
  test('gets a cluster at the first start, keeps it at the next, and has a port of its own', async () => {
    const [dataDir, otherDir, log] = [await harness.folder(), await harness.folder(), recordingLog()]
    const [first, other] = await Promise.all([
      startEmbeddedPostgres({ dataDir: join(dataDir, '.atrium'), log }),
      startEmbeddedPostgres({ dataDir: otherDir, log, settings }),
    ])
    expect(new URL(first.connectionString).port).not.toBe(new URL(other.connectionString).port)
    await other.stop()
    expect(first.adopted).toBe(false)
    expect(await query(first.connectionString, facts)).toEqual([
      { database: 'atrium', zone: 'UTC', encoding: 'UTF8', lower: 'äöж', role: 'atrium' },
    ])
    await query(first.connectionString, "CREATE TABLE notes AS SELECT 'kept' AS note")
    await Promise.all([first.stop(), first.stop()])
    await expect(query(first.connectionString, 'SELECT 1')).rejects.toThrow()

    const second = await startEmbeddedPostgres({ dataDir: join(dataDir, '.atrium'), log })
    expect(second.home).toBe(first.home)
    expect(await query(second.connectionString, 'SELECT note FROM notes')).toEqual([{ note: 'kept' }])
    await second.stop()
    await expectSecretPassword(second.home, second.connectionString, log.lines)
  })

  test('is told of while its cluster is made, and not where there is one', async () => {
    const [dataDir, log] = [await harness.folder(), recordingLog()]
    const told: string[][] = []
    // what is there by then: neither a cluster in its place, nor a server
    const onMaking = () => void told.push(readdirSync(dataDir).filter((name) => !name.includes('.new-')))
    for (let starts = 0; starts < 2; starts += 1) {
      const postgres = await startEmbeddedPostgres({ dataDir, log, settings, onMaking })
      await postgres.stop()
    }
    expect(told).toEqual([[]])
  })

  test('is shared by starts that come at once', async () => {
    const dataDir = await harness.folder()
    const start = () => startEmbeddedPostgres({ dataDir, log: recordingLog(), settings })
    const all = await Promise.all([start(), start(), start()])
    expect(new Set(all.map((one) => one.connectionString)).size).toBe(1)
    expect(all.filter((one) => !one.adopted)).toHaveLength(1)
    await Promise.all(all.map((one) => one.stop()))
  })
})

const facts = `SELECT current_database() AS database, current_user AS role, current_setting('TimeZone') AS zone,
  current_setting('server_encoding') AS encoding, lower('ÄÖЖ') AS lower`

async function expectSecretPassword(home: string, connectionString: string, logged: string[]): Promise<void> {
  const { password } = new URL(connectionString)
  expect(password.length).toBeGreaterThan(20)
  if (process.platform !== 'win32') expect((await stat(join(home, 'password'))).mode & 0o777).toBe(0o600)
  expect(logged.join('\n')).not.toContain(password)
  expect(await readFile(join(home, 'server.log'), 'utf8')).not.toContain(password)
}

describe('PostgreSQL that dies', () => {
  test('comes back on the same port with everything committed', async () => {
    const [dataDir, log] = [await harness.folder(), recordingLog()]
    const postgres = await startEmbeddedPostgres({ dataDir, log })
    await query(postgres.connectionString, "CREATE TABLE notes AS SELECT 'kept' AS note")
    process.kill(await pidOf(postgres.home), 'SIGKILL')
    await vi.waitFor(
      async () => {
        expect(await query(postgres.connectionString, 'SELECT note FROM notes')).toEqual([{ note: 'kept' }])
      },
      { timeout: 60_000, interval: 200 },
    )
    expect(log.lines.join('\n')).toMatch(/died, restarting it/)
    await postgres.stop()
    // Stopped is stopped: the watch must not bring it back.
    await pause(500)
    await expect(query(postgres.connectionString, 'SELECT 1')).rejects.toThrow()
  })
})

test.skipIf(process.platform !== 'linux')(
  'no postmaster.pid left behind keeps PostgreSQL from starting',
  async () => {
    const [dataDir, account] = [await harness.folder(), await chooseAccount(undefined)]
    const stranger = spawn('sleep', ['90'], account.switchTo ?? {})
    const dead = 4_000_000
    for (const pid of [dead, stranger.pid, undefined, dead]) {
      const postgres = await startEmbeddedPostgres({ dataDir, log: recordingLog(), settings })
      expect(postgres.adopted).toBe(false)
      await postgres.stop()
      const file = join(dataOf(postgres.home), 'postmaster.pid')
      // Killed while it wrote the file, PostgreSQL leaves an empty one.
      await writeFile(file, pid ? `${pid}\n${dataOf(postgres.home)}\n1\n5432\n\n127.0.0.1\n` : '')
      await giveTo(account, file)
      await utimes(file, new Date(0), new Date(0))
    }
    expect(stranger.exitCode).toBeNull()
    stranger.kill()
  },
)

describe('a start that cannot work', () => {
  test('is refused in words: relative folder, a file in the way, foreign files', async () => {
    const folder = await harness.folder()
    const start = (dataDir: string) => startEmbeddedPostgres({ dataDir, log: recordingLog() })
    await expect(start('relative')).rejects.toThrow('The data folder must be an absolute path: relative')
    await writeFile(join(folder, 'file'), '')
    await expect(start(join(folder, 'file'))).rejects.toThrow(
      /cannot use .*file: a part of its path is a file/,
    )
    await mkdir(join(folder, 'postgres'))
    await writeFile(join(folder, 'postgres', 'thesis.txt'), '')
    await expect(start(folder)).rejects.toThrow(/is no folder of the embedded PostgreSQL/)
  })

  test('carries the last words of PostgreSQL, and names another version and a damaged folder', async () => {
    const [dataDir, log] = [await harness.folder(), recordingLog()]
    const start = (extra: Record<string, string>) =>
      startEmbeddedPostgres({ dataDir, log, settings: { ...settings, ...extra } })
    await expect(start({ shared_buffers: 'plenty' })).rejects.toThrow(
      /could not start on .*invalid value for parameter "shared_buffers": "plenty"/,
    )
    const version = join(dataDir, 'postgres', 'data', 'PG_VERSION')
    await writeFile(version, '17\n')
    await expect(start({})).rejects.toThrow(/was made by PostgreSQL 17, and this Atrium brings PostgreSQL 18/)
    await writeFile(version, '18\n')
    await writeFile(join(dataDir, 'postgres', 'data', 'global', 'pg_control'), 'rubbish')
    await expect(start({})).rejects.toThrow(/could not start on .*(FATAL|PANIC)/)
  })
})

test('half a cluster of a killed first start is removed, never used', async () => {
  const dataDir = await harness.folder()
  const half = join(dataDir, 'postgres.new-4000000-aaaa-bbbb', 'data')
  await mkdir(half, { recursive: true })
  await writeFile(join(half, 'PG_VERSION'), '18\n')
  const postgres = await startEmbeddedPostgres({ dataDir, log: recordingLog(), settings })
  await expect(stat(half)).rejects.toThrow('ENOENT')
  expect(await query(postgres.connectionString, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  await postgres.stop()
})
