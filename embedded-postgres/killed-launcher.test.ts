import { setTimeout as pause } from 'node:timers/promises'
import { killHard, openTestHarness, query, recordingLog } from '@atrium/server/tests/run/test-harness.ts'
import { afterAll, expect, test, vi } from 'vitest'
import { startEmbeddedPostgres } from './start-embedded-postgres.ts'

const harness = openTestHarness()
afterAll(() => harness.clear(), 60_000)
vi.setConfig({ testTimeout: 90_000 })

test('kill -9 of the process that started PostgreSQL loses nothing', async () => {
  const dataDir = await harness.folder()
  const { child, said } = await harness.launch('start', dataDir)
  expect(said).toMatchObject({ adopted: false })
  await query(said.connectionString, "CREATE TABLE notes AS SELECT 'kept' AS note")
  await killHard(child)
  const next = await startEmbeddedPostgres({ dataDir, log: recordingLog() })
  expect(await query(next.connectionString, 'SELECT note FROM notes')).toEqual([{ note: 'kept' }])
  await next.stop()
})

test('PostgreSQL that outlived its starter is adopted, watched and stopped', async () => {
  const [dataDir, log] = [await harness.folder(), recordingLog()]
  const { child, said } = await harness.launch('start-in-worker', dataDir)
  await query(said.connectionString, "CREATE TABLE notes AS SELECT 'kept' AS note")
  await killHard(child)
  const next = await startEmbeddedPostgres({ dataDir, log })
  expect(next.adopted).toBe(true)
  expect(next.connectionString).toBe(said.connectionString)
  expect(await query(next.connectionString, 'SELECT note FROM notes')).toEqual([{ note: 'kept' }])

  const [row] = await query<{ pid: number }>(
    next.connectionString,
    "SELECT pg_read_file('postmaster.pid')::text AS pid",
  )
  process.kill(Number.parseInt(String(row?.pid), 10), 'SIGKILL')
  await vi.waitFor(
    async () =>
      expect(await query(next.connectionString, 'SELECT note FROM notes')).toEqual([{ note: 'kept' }]),
    { timeout: 60_000, interval: 200 },
  )
  await next.stop()
  await expect(query(next.connectionString, 'SELECT 1')).rejects.toThrow()
})

test('a first start that is killed half-way leaves the folder usable', async () => {
  const dataDir = await harness.folder()
  const launching = harness.launch('start', dataDir).catch((error: Error) => error)
  await pause(400)
  harness.killChildren()
  await launching
  const next = await startEmbeddedPostgres({ dataDir, log: recordingLog() })
  expect(await query(next.connectionString, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  await next.stop()
})
