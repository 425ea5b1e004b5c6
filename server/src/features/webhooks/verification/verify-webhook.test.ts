import { readFile } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type WebhookScene, webhookScenes } from '../../../../tests/chapters/webhook-scene.ts'
import { openTestOffice, type TestOffice } from '../../../../tests/office.ts'
import { auditOf, newFounder } from '../../../../tests/people.ts'
import { recordedLog } from '../../../../tests/recorded-log.ts'
import { until } from '../../../../tests/until.ts'
import { openWebhookReceiver, type WebhookReceiver } from '../../../../tests/vendors/webhook-receiver.ts'

const HOUR_SECONDS = 3_600

describe('verifyWebhook', () => {
  const scenes = webhookScenes()
  let scene: WebhookScene
  let passed = 0
  beforeEach(() => {
    scene = scenes()
  })
  afterEach(() => {
    scene.office.clock.advance(-passed)
    passed = 0
  })
  const advance = (seconds: number) => {
    passed += seconds
    scene.office.clock.advance(seconds)
  }
  /** A webhook after its receiver was sent the test. */
  const untilAsked = async () => {
    const { founder, receiver } = scene
    const { id, secret } = await founder.browser.call('createWebhook', {
      url: receiver.url,
      events: ['room.created'],
    })
    await until(() => receiver.tests.length > 0)
    await tested()
    return { id, secret }
  }
  /** Waits until the receiver's answers are noted down. */
  const tested = () => scene.office.office.work.worker('webhook-tests').drain()
  const stateOf = async (id: string) =>
    (await scene.founder.browser.call('listWebhooks')).webhooks.find((one) => one.id === id)?.state
  const challengeOf = () => scene.receiver.tests.at(-1)?.data.challenge as string
  const enter = async (id: string, challenge: string) => {
    const { status, body } = await scene.founder.browser.request('verifyWebhook', { id, challenge })
    return { status, ...body }
  }

  it('a new address is sent one signed test, and nothing else until a 2xx answer carries the challenge', async () => {
    const { receiver, founder, makeRoom, deliveries, drain } = scene
    receiver.agrees = false
    const { id, secret } = await untilAsked()
    await makeRoom('Held')
    await drain()
    expect(receiver.tests).toHaveLength(1)
    expect(receiver.arrivals).toEqual([])
    const [test] = receiver.tests
    receiver.arrivals.push(...receiver.tests)
    receiver.verify(secret)
    receiver.arrivals = []
    expect(JSON.parse(test?.body ?? '')).toEqual({
      id: test?.id,
      type: 'webhook.test',
      timestamp: expect.any(String),
      organizationId: founder.organizationId,
      // 256 bits
      data: { challenge: expect.stringMatching(/^[\w-]{43}$/) },
    })
    expect(await stateOf(id)).toBe('unverified')
    expect(await deliveries(id)).toMatchObject([{ state: 'pending', attempts: 0, event: 'room.created' }])

    receiver.agrees = true
    expect(await founder.browser.call('verifyWebhook', { id })).toEqual({ state: 'unverified' })
    await until(async () => (await stateOf(id)) === 'verified')
    // at once, and not when the event would be looked at again
    await until(() => receiver.arrivals.length > 0)
    expect(receiver.arrivals.map(({ data }) => data.name)).toEqual(['Held'])
    expect(challengeOf()).not.toBe(test?.data.challenge)
    expect((await auditOf(founder)).slice(-2)).toMatchObject([
      { action: 'webhook.tested', detail: { host: expect.any(String) } },
      { action: 'webhook.verified', actor: { kind: 'operator' }, detail: { by: 'receiver' } },
    ])
  })

  it.each([
    ['another status', (challenge: string) => ({ status: 404, body: challenge })],
    ['a redirect', (challenge: string) => ({ status: 302, body: challenge })],
    ['nothing of it', () => ({ status: 200, body: 'ok' })],
    ['half of it', (challenge: string) => ({ status: 200, body: challenge.slice(0, -1) })],
    [
      'it after more than anyone reads',
      (challenge: string) => ({ status: 200, body: `${'x'.repeat(20_000)}${challenge}` }),
    ],
  ])('an answer with %s is no agreement, and is not asked for again', async (_name, agrees) => {
    scene.receiver.agrees = agrees
    const { id } = await untilAsked()
    advance(HOUR_SECONDS)
    await tested()
    expect(scene.receiver.tests).toHaveLength(1)
    expect(await stateOf(id)).toBe('unverified')
  })

  it('takes the challenge from an admin, five tries each, and shows it nowhere', async () => {
    const { founder, receiver } = scene
    receiver.agrees = false
    const { id } = await untilAsked()
    const wrong = { status: 400, error: 'wrong-challenge' }
    for (let n = 0; n < 5; n += 1) expect(await enter(id, `${'x'.repeat(42)}${n}`)).toMatchObject(wrong)
    // by now the right one is none any more
    expect(await enter(id, challengeOf())).toMatchObject(wrong)
    await founder.browser.call('verifyWebhook', { id })
    await until(() => receiver.tests.length === 2)
    expect(await enter(id, receiver.tests[0]?.data.challenge as string)).toMatchObject(wrong)
    expect(await enter(id, challengeOf())).toEqual({ status: 200, state: 'verified' })
    expect(await enter(id, challengeOf())).toMatchObject({ status: 409, error: 'already-verified' })
    expect(await founder.browser.request('verifyWebhook', { id })).toMatchObject({
      status: 409,
      body: { error: 'already-verified' },
    })
    expect((await auditOf(founder)).at(-1)).toMatchObject({
      action: 'webhook.verified',
      detail: { by: 'admin' },
    })
    const told = await Promise.all([
      founder.browser.call('listWebhooks'),
      founder.browser.call('listWebhookDeliveries', { id }),
      auditOf(founder),
    ])
    for (const { data } of receiver.tests) expect(JSON.stringify(told)).not.toContain(data.challenge)
  })

  it('counts tries that come together, and seals the challenge where it rests', async () => {
    const { office, receiver } = scene
    receiver.agrees = false
    const { id } = await untilAsked()
    const { rows } = await office.database.pool.query('select w::text as row from webhooks w where id = $1', [
      id,
    ])
    expect(rows[0].row).not.toContain(challengeOf())
    await Promise.all(Array.from({ length: 12 }, () => enter(id, 'nonsense')))
    const { rows: counted } = await office.database.pool.query(
      'select challenge_tries from webhooks where id = $1',
      [id],
    )
    expect(counted).toEqual([{ challenge_tries: 5 }])
  })

  it('takes no challenge after a day', async () => {
    scene.receiver.agrees = false
    const { id } = await untilAsked()
    advance(24 * HOUR_SECONDS + 1)
    expect(await enter(id, challengeOf())).toMatchObject({ status: 400, error: 'wrong-challenge' })
  })

  it('keeps for a day what happens until then', async () => {
    const { receiver, makeRoom, deliveries, drain, founder, office } = scene
    receiver.agrees = false
    const { id } = await untilAsked()
    await makeRoom('Forgotten')
    await makeRoom('Kept')
    await drain()
    expect(await deliveries(id)).toHaveLength(2)
    await office.database.pool.query(
      `update webhook_deliveries set queued_at = queued_at - case data ->> 'name'
        when 'Kept' then interval '23 hours' else interval '24 hours' end where webhook_id = $1`,
      [id],
    )
    advance(600)
    await until(async () => {
      await drain()
      return (await deliveries(id)).length === 1
    })
    receiver.agrees = true
    await founder.browser.call('verifyWebhook', { id })
    await until(() => receiver.arrivals.length > 0)
    await drain()
    expect(receiver.arrivals.map(({ data }) => data.name)).toEqual(['Kept'])
  })

  it('endpoints of before this rule have agreed where something was delivered, and no others', async () => {
    const { office, founder, receiver } = scene
    receiver.agrees = false
    const migration = new URL('../../../../migrations/0056_webhooks-agree.sql', import.meta.url)
    const [update = ''] = /^update webhooks [^;]+;/m.exec(await readFile(migration, 'utf8')) ?? []
    const ids: Record<string, string> = {}
    for (const state of ['delivered', 'failed', 'pending']) {
      const { id } = await founder.browser.call('createWebhook', {
        url: receiver.url,
        events: ['room.created'],
      })
      ids[state] = id
      await office.database.pool.query(
        `insert into webhook_deliveries (organization_id, webhook_id, event_id, event, time, data, created_at, queued_at, state)
        select organization_id, id, gen_random_uuid(), 'room.created', '', '{}', now(), now(), $2 from webhooks where id = $1`,
        [id, state],
      )
    }
    await office.database.pool.query(update)
    const states = await Promise.all(Object.values(ids).map(stateOf))
    expect(states).toEqual(['verified', 'unverified', 'unverified'])
  })

  it('sends nothing again before the receiver has agreed', async () => {
    scene.receiver.agrees = false
    const { id } = await untilAsked()
    expect(await scene.founder.browser.request('replayWebhook', { id })).toMatchObject({
      status: 409,
      body: { error: 'webhook-unverified' },
    })
  })

  it('an agreement to what another address was asked is none', async () => {
    const { founder, receiver } = scene
    const url = `${receiver.url}&moved`
    const moved = Promise.withResolvers<void>()
    receiver.agrees = (challenge) => {
      void founder.browser.call('updateWebhook', { id: asked, url }).then(() => moved.resolve())
      receiver.agrees = false
      return { status: 200, body: challenge }
    }
    let asked = '0'
    const { id } = await founder.browser.call('createWebhook', {
      url: 'http://127.0.0.1:9/',
      events: ['room.created'],
    })
    asked = id
    await founder.browser.call('updateWebhook', { id, url: receiver.url })
    await moved.promise
    await until(() => receiver.tests.length > 1)
    await tested()
    expect(receiver.tests.map(({ path }) => path.endsWith('&moved'))).toEqual([false, true])
  })
})

it('shows the challenge to no log, sent, answered, entered and wrong', async () => {
  const recorded = recordedLog()
  const office = await openTestOffice({ log: recorded.log })
  const receiver = await openWebhookReceiver()
  try {
    const { browser } = await newFounder(office)
    receiver.agrees = (challenge) => ({ status: 500, body: challenge })
    const { id } = await browser.call('createWebhook', { url: receiver.url, events: ['room.created'] })
    await until(() => receiver.tests.length > 0)
    const challenge = receiver.tests[0]?.data.challenge as string
    await browser.request('verifyWebhook', { id, challenge: `${challenge}-canary` })
    await browser.call('verifyWebhook', { id, challenge })
    expect(recorded.text()).toContain('verifyWebhook')
    for (const secret of [challenge, '-canary', 'key=canary']) expect(recorded.text()).not.toContain(secret)
  } finally {
    await receiver.close()
    await office.close()
  }
})

describe('the budget of tests', () => {
  let office: TestOffice
  let receiver: WebhookReceiver
  beforeAll(async () => {
    office = await openTestOffice({
      settings: { RATE_LIMIT_WEBHOOK_TESTS_PER_HOST: '3', RATE_LIMIT_WEBHOOK_TESTS_PER_ADDRESS: '8' },
    })
    receiver = await openWebhookReceiver()
    receiver.agrees = false
  })
  afterAll(async () => {
    await receiver.close()
    await office.close()
  })
  const create = ({ browser }: Awaited<ReturnType<typeof newFounder>>, url = receiver.url) =>
    browser.call('createWebhook', { url, events: ['room.created'] })

  it('is sent to each new address, three times an hour more on request, and so often from one network', async () => {
    const founder = await newFounder(office)
    const ids: string[] = []
    // whichever webhook, port and dot
    for (const url of [receiver.url, `${receiver.url}&2`, receiver.url.replace('127.0.0.1', '127.0.0.1.')])
      ids.push((await create(founder, url)).id)
    const ask = (id: string) => founder.browser.request('verifyWebhook', { id })
    for (const id of ids) expect((await ask(id)).status).toBe(200)
    const again = await ask(ids[0] ?? '')
    expect(again).toMatchObject({ status: 429, body: { error: 'rate-limited' } })
    expect(Number(again.headers.get('retry-after'))).toBeGreaterThan(3_000)
    const sent = receiver.tests.length
    await create(founder)
    await until(() => receiver.tests.length > sent)

    // another organization has its own, until the network has had its eight
    const second = await newFounder(office, 'Second')
    await create(second)
    // it is made all the same, and asked later
    const third = await newFounder(office, 'Third')
    const { id: last } = await create(third)
    expect((await third.browser.call('listWebhooks')).webhooks).toMatchObject([
      { id: last, state: 'unverified' },
    ])
    expect(await third.browser.request('verifyWebhook', { id: last })).toMatchObject({ status: 429 })
  })
})
