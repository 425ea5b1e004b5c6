import { freePort } from '@atrium/embedded-postgres/free-port.ts'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../fresh-database.ts'
import { openProcessHarness } from './office-process.ts'

const harness = openProcessHarness()
let database: FreshDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterEach(() => harness.clear())
afterAll(() => database.drop())

it('the metrics are at METRICS_PORT alone, and go with the office', async () => {
  const port = await freePort()
  const office = await harness.serve({
    settings: { DATABASE_URL: database.connectionString, HOST: '0.0.0.0', METRICS_PORT: String(port) },
  })
  const apart = `http://127.0.0.1:${port}`
  const page = await fetch(`${apart}/metrics`)
  expect(page.status).toBe(200)
  expect(await page.text()).toContain('rtc_webhook_queue_depth')
  expect((await fetch(`${apart}/health/live`)).status).toBe(404)
  expect((await fetch(`${office.url}/metrics`)).status).toBe(404)
  await office.stop()
  await expect(fetch(`${apart}/metrics`)).rejects.toThrow()
})
