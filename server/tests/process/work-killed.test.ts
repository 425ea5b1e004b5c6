import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { LEASE_SECONDS } from '../../src/platform/background/lease.ts'
import { newWebhook } from '../chapters/webhook-scene.ts'
import { until } from '../until.ts'
import { openWebhookReceiver, type WebhookReceiver } from '../vendors/webhook-receiver.ts'
import { openProcessHarness, signUpAt } from './office-process.ts'

const harness = openProcessHarness()
const name = `work_${randomBytes(6).toString('hex')}`
const url = Object.assign(new URL(inject('adminConnectionString')), { pathname: `/${name}` }).href
let admin: pg.Client
let database: pg.Client
let receiver: WebhookReceiver
beforeAll(async () => {
  admin = new pg.Client({ connectionString: inject('adminConnectionString') })
  await admin.connect()
  await admin.query(`create database ${name}`)
  database = new pg.Client({ connectionString: url })
  await database.connect()
  receiver = await openWebhookReceiver()
})
afterAll(async () => {
  await receiver.close()
  await harness.clear()
  await database.end()
  await admin.query(`drop database ${name} with (force)`)
  await admin.end()
})

it('what a node had begun that was killed is done by another one, once its lease is over', async () => {
  const settings = { DATABASE_URL: url }
  const [doomed, other] = await Promise.all([harness.serve({ settings }), harness.serve({ settings })])
  const { browser } = await signUpAt(doomed.url)
  await browser.call('createOrganization', { name: 'Killed' })
  await newWebhook(browser, { url: receiver.url, events: ['room.created'] })
  // it cannot be this one that takes the event
  other.kill('SIGSTOP')
  receiver.answers = () => new Promise<never>(() => {})
  await browser.call('createRoom', { name: 'Kitchen' })
  await until(() => receiver.arrivals.length === 1)
  doomed.kill('SIGKILL')
  await doomed.ended
  const held = await items()
  expect(held).toEqual([{ leased: true, attempts: expect.any(Number) }])

  receiver.answers = 204
  const killedAt = Date.now()
  other.kill('SIGCONT')
  await until(() => receiver.arrivals.length > 1)
  // no sooner than its lease allows, which is extended every 5 s
  expect(Date.now() - killedAt).toBeGreaterThan((LEASE_SECONDS - 10) * 1_000)
  const [first, second] = receiver.arrivals
  expect([second?.id, second?.body]).toEqual([first?.id, first?.body])
  await until(async () => (await items()).length === 0)
  const { rows } = await database.query('select state, attempts from webhook_deliveries')
  expect(rows).toEqual([{ state: 'delivered', attempts: 1 }])
  expect(receiver.arrivals).toHaveLength(2)
})

async function items(): Promise<{ leased: boolean; attempts: number }[]> {
  const { rows } = await database.query(
    `select lease is not null as leased, attempts from work_items where queue = 'webhooks'`,
  )
  return rows
}
