import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { auditOf, mailsTo, newFounder, newMember, type Person } from '../../../tests/people.ts'
import { until } from '../../../tests/until.ts'
import { openWebhookReceiver, type WebhookReceiver } from '../../../tests/webhook-receiver.ts'
import { WEBHOOK_QUEUE } from './deliver.ts'

const HOUR_SECONDS = 3_600

describe('delivering events to webhooks', () => {
  let office: TestOffice
  let receiver: WebhookReceiver
  let founder: Person & { organizationId: string }
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())
  beforeEach(async () => {
    receiver = await openWebhookReceiver()
    founder = await newFounder(office)
  })
  afterEach(() => receiver.close())

  const subscribe = (events: string[], url = receiver.url) =>
    founder.browser.call('createWebhook', { url, events })
  const makeRoom = (name: string) => founder.browser.call('createRoom', { name })
  const deliveries = async (id: string) =>
    (await founder.browser.call('listWebhookDeliveries', { id, limit: 100 })).data
  const drain = () => office.office.work.worker(WEBHOOK_QUEUE).drain()
  const webhook = async () => (await founder.browser.call('listWebhooks')).webhooks[0]
  let passed = 0
  afterEach(() => {
    office.clock.advance(-passed)
    passed = 0
  })
  const advance = (seconds: number) => {
    passed += seconds
    office.clock.advance(seconds)
  }
  /** Does what is due; a machine that stands still for a while is no reason to give up. */
  const settle = () =>
    until(() =>
      drain()
        .then(() => true)
        .catch(() => false),
    )
  /** Lets time pass in steps, in each of which a receiver that fails is asked again. */
  async function pass(seconds: number, step = 600) {
    for (let left = seconds; left > 0; left -= step) {
      advance(step)
      await settle()
    }
  }

  it('sends what was chosen, signed, with the id of the event, and notes it down', async () => {
    const { id, secret } = await subscribe(['room.created'])
    expect(secret).toMatch(/^whsec_[\w+/]+=*$/)
    const { room } = await makeRoom('The Kitchen')
    await newMember(office, founder, 'member')
    await until(() => receiver.arrivals.length > 0)
    receiver.verify(secret)
    const [arrival] = receiver.arrivals
    expect(JSON.parse(arrival?.body ?? '')).toEqual({
      id: arrival?.id,
      type: 'room.created',
      timestamp: expect.any(String),
      organizationId: founder.organizationId,
      data: expect.objectContaining({ roomId: room.id }),
    })
    await until(async () => (await deliveries(id))[0]?.state === 'delivered')
    expect(await deliveries(id)).toMatchObject([
      { event: 'room.created', eventId: arrival?.id, attempts: 1, state: 'delivered', status: 204 },
    ])
  })

  it('sends nothing of other organizations, of one person, or of what was rolled back', async () => {
    await subscribe(['room.created', 'member.updated'])
    const other = await newFounder(office, 'Other')
    await other.browser.call('createRoom', { name: 'Elsewhere' })
    const pool = office.database.pool
    await pool.query('begin; update organizations set name = name; rollback')
    await makeRoom('Ours')
    await until(() => receiver.arrivals.length > 0)
    expect(receiver.arrivals.map(({ data }) => data)).toEqual([expect.objectContaining({ name: 'Ours' })])
  })

  it('delivers everything in order, once per id, to a receiver that failed for an hour', async () => {
    const { id } = await subscribe(['room.created', 'room.updated'])
    receiver.answers = 500
    const { room } = await makeRoom('Version 0')
    const rename = (n: number) =>
      founder.browser.call('updateRoom', { roomId: room.id, name: `Version ${n}` })
    for (let n = 1; n <= 5; n += 1) await rename(n)
    await until(() => receiver.arrivals.length > 0)
    await pass(HOUR_SECONDS)
    expect((await deliveries(id)).filter(({ state }) => state === 'delivered')).toEqual([])
    expect((await webhook())?.failingSince).not.toBeNull()
    receiver.arrivals = []
    receiver.answers = 200
    advance(600)
    await until(async () => {
      await settle()
      return (await deliveries(id)).every(({ state }) => state === 'delivered')
    })
    // what came twice a receiver knows by its id
    const names = new Map(receiver.arrivals.map((arrival) => [arrival.id, arrival.data.name]))
    expect([...names.values()]).toEqual(Array.from({ length: 6 }, (_, n) => `Version ${n}`))
    expect(await webhook()).toMatchObject({ failingSince: null, enabled: true })
  })

  it('does not let one room wait for another: an event that is refused holds up its own room only', async () => {
    receiver.answers = ({ data }) => (data.name === 'Refused' ? 400 : 200)
    const { id } = await subscribe(['room.created'])
    await makeRoom('Refused')
    await makeRoom('Taken')
    await until(async () => (await deliveries(id))[0]?.state === 'delivered')
    expect((await deliveries(id)).map(({ state }) => state)).toEqual(['delivered', 'pending'])
  })

  it('delays nobody else where one receiver does not answer', async () => {
    const never = Promise.withResolvers<number>()
    const began = Date.now()
    receiver.answers = () => never.promise
    await subscribe(['room.created'])
    for (let n = 0; n < 30; n += 1) await makeRoom(`Room ${n}`)
    await until(() => receiver.arrivals.length > 0)
    const quick = await openWebhookReceiver()
    try {
      const other = await newFounder(office, 'Other')
      await other.browser.call('createWebhook', { url: quick.url, events: ['room.created'] })
      await other.browser.call('createRoom', { name: 'At once' })
      await until(() => quick.arrivals.length > 0)
      // of the one that hangs no more than two are under way on a node, for ten seconds each
      expect(receiver.arrivals.length).toBeLessThanOrEqual(
        2 * (1 + Math.floor((Date.now() - began) / 10_000)),
      )
    } finally {
      never.resolve(204)
      await quick.close()
    }
  })

  it.each([301, 302, 307])('takes a redirect (%i) for no receipt, and does not follow it', async (status) => {
    receiver.answers = status
    const { id } = await subscribe(['room.created'])
    await makeRoom('Here')
    await until(async () => (await deliveries(id))[0]?.status === status)
    expect(await deliveries(id)).toMatchObject([{ state: 'pending' }])
    expect(receiver.arrivals.map(({ path }) => path)).not.toContain('/elsewhere')
  })

  it('gives up after a day, switches the webhook off, and tells the admins', async () => {
    receiver.answers = 503
    const { id } = await subscribe(['room.created'])
    await makeRoom('Nobody there')
    await until(() => receiver.arrivals.length > 0)
    await pass(26 * HOUR_SECONDS, 2 * HOUR_SECONDS)
    await until(async () => (await webhook())?.enabled === false)
    expect(await deliveries(id)).toMatchObject([{ state: 'failed', status: 503 }])
    expect((await auditOf(founder)).at(-1)).toMatchObject({
      action: 'webhook.switched-off',
      detail: { reason: 'failing' },
    })
    await until(async () =>
      (await mailsTo(office, founder.email)).some(({ subject }) => subject.includes('was switched off')),
    )
    const sent = receiver.arrivals.length
    await makeRoom('Not sent')
    await settle()
    expect(receiver.arrivals).toHaveLength(sent)
    expect(await founder.browser.request('replayWebhook', { id })).toMatchObject({
      status: 409,
      body: { error: 'webhook-off' },
    })
    receiver.answers = 200
    await founder.browser.call('updateWebhook', { id, enabled: true })
    expect(await founder.browser.call('replayWebhook', { id })).toEqual({ replayed: 1 })
    await until(async () => (await deliveries(id))[0]?.state === 'delivered')
    expect(receiver.arrivals.at(-1)?.id).toBe(receiver.arrivals[0]?.id)
  })

  it('is switched off at once by a receiver that is gone', async () => {
    receiver.answers = 410
    const { id } = await subscribe(['room.created'])
    await makeRoom('Gone')
    await until(async () => (await webhook())?.enabled === false)
    expect(await deliveries(id)).toMatchObject([{ state: 'failed', status: 410, attempts: 1 }])
  })

  it('keeps secrets sealed, and shows address and secret to no log', async () => {
    const { secret } = await subscribe(['room.created'])
    receiver.answers = 500
    await makeRoom('One')
    await until(() => receiver.arrivals.length > 0)
    const { rows } = await office.database.pool.query('select w::text as row from webhooks w')
    expect(JSON.stringify(rows)).not.toContain(secret)
    const { rows: audit } = await office.database.pool.query('select a::text as row from audit_entries a')
    expect(JSON.stringify(audit)).not.toContain('canary')
  })
})
