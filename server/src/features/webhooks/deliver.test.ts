import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newWebhook, type WebhookScene, webhookScenes } from '../../../tests/chapters/webhook-scene.ts'
import { auditOf, mailsTo, newFounder, newMember } from '../../../tests/people.ts'
import { until } from '../../../tests/until.ts'
import { openWebhookReceiver } from '../../../tests/vendors/webhook-receiver.ts'

const HOUR_SECONDS = 3_600

describe('delivering events to webhooks', () => {
  const scenes = webhookScenes()
  let scene: WebhookScene
  beforeEach(() => {
    scene = scenes()
  })
  const webhook = async () => (await scene.founder.browser.call('listWebhooks')).webhooks[0]
  let passed = 0
  afterEach(() => {
    scene.office.clock.advance(-passed)
    passed = 0
  })
  const advance = (seconds: number) => {
    passed += seconds
    scene.office.clock.advance(seconds)
  }
  /** Does what is due; a machine that stands still for a while is no reason to give up. */
  const settle = () =>
    until(() =>
      scene
        .drain()
        .then(() => true)
        .catch(() => false),
    )
  /** Lets time pass in steps, in each of which a scene.receiver that fails is asked again. */
  async function pass(seconds: number, step = 600) {
    for (let left = seconds; left > 0; left -= step) {
      advance(step)
      await settle()
    }
  }

  it('sends what was chosen, signed, with the id of the event, and notes it down', async () => {
    const { id, secret } = await scene.subscribe(['room.created'])
    expect(secret).toMatch(/^whsec_[\w+/]+=*$/)
    const { room } = await scene.makeRoom('The Kitchen')
    await newMember(scene.office, scene.founder, 'member')
    await until(() => scene.receiver.arrivals.length > 0)
    scene.receiver.verify(secret)
    const [arrival] = scene.receiver.arrivals
    expect(JSON.parse(arrival?.body ?? '')).toEqual({
      id: arrival?.id,
      type: 'room.created',
      timestamp: expect.any(String),
      organizationId: scene.founder.organizationId,
      data: expect.objectContaining({ roomId: room.id }),
    })
    await until(async () => (await scene.deliveries(id))[0]?.state === 'delivered')
    expect(await scene.deliveries(id)).toMatchObject([
      { event: 'room.created', eventId: arrival?.id, attempts: 1, state: 'delivered', status: 204 },
    ])
  })

  it('sends nothing of other organizations, of one person, or of what was rolled back', async () => {
    await scene.subscribe(['room.created', 'member.updated'])
    const other = await newFounder(scene.office, 'Other')
    await other.browser.call('createRoom', { name: 'Elsewhere' })
    const channel = `org:${scene.founder.organizationId}`
    await scene.office.database.pool.query(
      `begin; select append_event(array['${channel}'], 'room.created', now(), '{"name": "Never"}', 'room'); rollback`,
    )
    await scene.makeRoom('Ours')
    await until(() => scene.receiver.arrivals.length > 0)
    expect(scene.receiver.arrivals.map(({ data }) => data)).toEqual([
      expect.objectContaining({ name: 'Ours' }),
    ])
  })

  it('delivers everything in order, once per id, to a receiver that failed for an hour', async () => {
    const { id } = await scene.subscribe(['room.created', 'room.updated'])
    scene.receiver.answers = 500
    const { room } = await scene.makeRoom('Version 0')
    const rename = (n: number) =>
      scene.founder.browser.call('updateRoom', { roomId: room.id, name: `Version ${n}` })
    for (let n = 1; n <= 5; n += 1) await rename(n)
    await until(() => scene.receiver.arrivals.length > 0)
    await pass(HOUR_SECONDS)
    expect((await scene.deliveries(id)).filter(({ state }) => state === 'delivered')).toEqual([])
    expect((await webhook())?.failingSince).not.toBeNull()
    scene.receiver.arrivals = []
    scene.receiver.answers = 200
    advance(600)
    await until(async () => {
      await settle()
      return (await scene.deliveries(id)).every(({ state }) => state === 'delivered')
    })
    // what came twice a scene.receiver knows by its id
    const names = new Map(scene.receiver.arrivals.map((arrival) => [arrival.id, arrival.data.name]))
    expect([...names.values()]).toEqual(Array.from({ length: 6 }, (_, n) => `Version ${n}`))
    expect(await webhook()).toMatchObject({ failingSince: null, enabled: true })
  })

  it('leaves an event delivered that another node took over and was done with', async () => {
    const { id } = await scene.subscribe()
    const answered = Promise.withResolvers<void>()
    scene.receiver.answers = async () => {
      await scene.office.database.pool.query(
        `update webhook_deliveries set state = 'delivered', status = 204 where webhook_id = $1`,
        [id],
      )
      answered.resolve()
      return 500
    }
    await scene.makeRoom('Once')
    await answered.promise
    await until(async () => (await webhook())?.failingSince !== null)
    await settle()
    expect((await scene.deliveries(id))[0]).toMatchObject({ state: 'delivered', status: 204 })
  })

  it('does not let one room wait for another: an event that is refused holds up its own room only', async () => {
    scene.receiver.answers = ({ data }) => (data.name === 'Refused' ? 400 : 200)
    const { id } = await scene.subscribe(['room.created'])
    await scene.makeRoom('Refused')
    await scene.makeRoom('Taken')
    await until(async () => (await scene.deliveries(id))[0]?.state === 'delivered')
    expect((await scene.deliveries(id)).map(({ state }) => state)).toEqual(['delivered', 'pending'])
  })

  it('delays no other where one receiver does not answer', async () => {
    const never = Promise.withResolvers<number>()
    const began = Date.now()
    scene.receiver.answers = () => never.promise
    await scene.subscribe(['room.created'])
    for (let n = 0; n < 30; n += 1) await scene.makeRoom(`Room ${n}`)
    await until(() => scene.receiver.arrivals.length > 0)
    const quick = await openWebhookReceiver()
    try {
      const other = await newFounder(scene.office, 'Other')
      await newWebhook(other.browser, { url: quick.url, events: ['room.created'] })
      await other.browser.call('createRoom', { name: 'At once' })
      await until(() => quick.arrivals.length > 0)
      // of the one that hangs no more than two are under way on a node, for ten seconds each
      expect(scene.receiver.arrivals.length).toBeLessThanOrEqual(
        2 * (1 + Math.floor((Date.now() - began) / 10_000)),
      )
    } finally {
      never.resolve(204)
      await quick.close()
    }
  })

  it('leaves room for others where all webhooks of an organization hang', async () => {
    const never = Promise.withResolvers<number>()
    const began = Date.now()
    scene.receiver.answers = () => never.promise
    for (let n = 0; n < 15; n += 1) await scene.subscribe(['room.created'])
    for (let n = 0; n < 2; n += 1) await scene.makeRoom(`Room ${n}`)
    await until(() => scene.receiver.arrivals.length >= 6)
    const quick = await openWebhookReceiver()
    try {
      const other = await newFounder(scene.office, 'Other')
      await newWebhook(other.browser, { url: quick.url, events: ['room.created'] })
      await other.browser.call('createRoom', { name: 'At once' })
      await until(() => quick.arrivals.length > 0)
      expect(scene.receiver.arrivals.length).toBeLessThanOrEqual(
        6 * (1 + Math.floor((Date.now() - began) / 10_000)),
      )
    } finally {
      never.resolve(204)
      await quick.close()
    }
  })

  it.each([301, 302, 307])('takes a redirect (%i) for no receipt, and does not follow it', async (status) => {
    scene.receiver.answers = status
    const { id } = await scene.subscribe(['room.created'])
    await scene.makeRoom('Here')
    await until(async () => (await scene.deliveries(id))[0]?.status === status)
    expect(await scene.deliveries(id)).toMatchObject([{ state: 'pending' }])
    expect(scene.receiver.arrivals.map(({ path }) => path)).not.toContain('/elsewhere')
  })

  it.each([
    ['30', 30],
    ['86400', 3_600],
  ])(
    'leaves a receiver in peace for as long as it asks, up to an hour: Retry-After %s',
    async (asked, kept) => {
      scene.receiver.answers = { status: 429, 'retry-after': asked }
      await scene.subscribe(['room.created'])
      await scene.makeRoom('Later')
      await until(async () => (await webhook())?.failingSince !== null)
      await settle()
      advance(kept - 5)
      // another room does not ask it either
      await scene.makeRoom('Not asked')
      await settle()
      expect(scene.receiver.arrivals).toHaveLength(1)
      scene.receiver.answers = 204
      advance(10)
      await until(async () => {
        await settle()
        return scene.receiver.arrivals.length > 1
      })
    },
  )

  it('keeps to what one answer asks for where another one comes at the same time', async () => {
    const asked = Promise.withResolvers<void>()
    scene.receiver.answers = async ({ data }) => {
      if (data.name === 'Asks for peace') return { status: 429, 'retry-after': '1800' }
      await asked.promise
      return 204
    }
    const { id } = await scene.subscribe(['room.created'])
    await scene.makeRoom('Taken')
    await until(() => scene.receiver.arrivals.length === 1)
    await scene.makeRoom('Asks for peace')
    await until(async () => (await webhook())?.failingSince !== null)
    asked.resolve()
    await until(async () => (await scene.deliveries(id))[1]?.state === 'delivered')
    await until(async () => (await webhook())?.failingSince === null)
    advance(900)
    await scene.makeRoom('Not asked')
    await settle()
    expect(scene.receiver.arrivals).toHaveLength(2)
  })

  it('gives up after a day, switches the webhook off, and tells the admins', async () => {
    scene.receiver.answers = 503
    const { id } = await scene.subscribe(['room.created'])
    await scene.makeRoom('Nobody there')
    await until(() => scene.receiver.arrivals.length > 0)
    // an attempt that a busy machine makes late puts off the ones after it; two days are enough for the last of them, and
    // no session ends in them
    let hours = 0
    await until(async () => {
      if (hours < 48) await pass(2 * HOUR_SECONDS, 2 * HOUR_SECONDS)
      else await settle()
      hours += 2
      return (await webhook())?.enabled === false
    })
    expect(await scene.deliveries(id)).toMatchObject([{ state: 'failed', status: 503 }])
    expect((await auditOf(scene.founder)).at(-1)).toMatchObject({
      action: 'webhook.switched-off',
      detail: { reason: 'failing' },
    })
    await until(async () =>
      (await mailsTo(scene.office, scene.founder.email)).some(({ subject }) =>
        subject.includes('was switched off'),
      ),
    )
    const sent = scene.receiver.arrivals.length
    await scene.makeRoom('Not sent')
    await settle()
    expect(scene.receiver.arrivals).toHaveLength(sent)
    expect(await scene.founder.browser.request('replayWebhook', { id })).toMatchObject({
      status: 409,
      body: { error: 'webhook-off' },
    })
    scene.receiver.answers = 200
    await scene.founder.browser.call('updateWebhook', { id, enabled: true })
    expect(await scene.founder.browser.call('replayWebhook', { id })).toEqual({ replayed: 1 })
    await until(async () => (await scene.deliveries(id))[0]?.state === 'delivered')
    expect(scene.receiver.arrivals.at(-1)?.id).toBe(scene.receiver.arrivals[0]?.id)
  })

  it('is switched off at once by a receiver that is gone', async () => {
    scene.receiver.answers = 410
    const { id } = await scene.subscribe(['room.created'])
    await scene.makeRoom('Gone')
    await until(async () => (await webhook())?.enabled === false)
    expect(await scene.deliveries(id)).toMatchObject([{ state: 'failed', status: 410, attempts: 1 }])
  })

  it('is not switched off for what its former address answers, and sends it to the new one', async () => {
    const { id } = await scene.subscribe(['room.created'])
    const url = `${scene.receiver.url}&moved`
    scene.receiver.answers = async ({ path }) => {
      if (path.endsWith('&moved')) return 204
      await scene.founder.browser.call('updateWebhook', { id, url })
      return 410
    }
    await scene.makeRoom('Moved')
    await until(async () => {
      await pass(HOUR_SECONDS)
      return (await scene.deliveries(id))[0]?.state === 'delivered'
    })
    expect(await webhook()).toMatchObject({ enabled: true, url })
    expect((await scene.deliveries(id))[0]).toMatchObject({ status: 204 })
  })

  it('keeps secrets sealed, and shows address and secret to no log', async () => {
    const { secret } = await scene.subscribe(['room.created'])
    scene.receiver.answers = 500
    await scene.makeRoom('One')
    await until(() => scene.receiver.arrivals.length > 0)
    const { rows } = await scene.office.database.pool.query('select w::text as row from webhooks w')
    expect(JSON.stringify(rows)).not.toContain(secret)
    const { rows: audit } = await scene.office.database.pool.query(
      'select a::text as row from audit_entries a',
    )
    expect(JSON.stringify(audit)).not.toContain('canary')
  })
})
