import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { auditOf, newFounder, type Person } from '../../../tests/people.ts'
import { pauseSeconds } from '../../platform/background/work-queue.ts'
import { RETRY, requireUrl, verdictOf } from './rules.ts'

describe('createWebhook', () => {
  let office: TestOffice
  let founder: Person & { organizationId: string }
  beforeAll(async () => {
    office = await openTestOffice()
    founder = await newFounder(office)
  })
  afterAll(() => office.close())

  it('shows the secret this once, and the webhook to admins of its organization only', async () => {
    const url = 'https://hooks.example/in?key=1#top'
    const events = ['room.deleted', 'room.created', 'room.deleted'] as const
    const { id, secret } = await founder.browser.call('createWebhook', { url, events: [...events] })
    const { webhooks } = await founder.browser.call('listWebhooks')
    expect(webhooks).toEqual([
      {
        id,
        url: 'https://hooks.example/in?key=1',
        events: ['room.created', 'room.deleted'],
        state: 'unverified',
        enabled: true,
        failingSince: null,
        createdBy: founder.id,
        createdAt: expect.any(String),
      },
    ])
    expect(JSON.stringify(webhooks)).not.toContain(secret)
    expect((await auditOf(founder)).at(-1)).toMatchObject({
      action: 'webhook.created',
      detail: { host: 'hooks.example', events: 'room.created room.deleted' },
    })
    const other = await newFounder(office, 'Other')
    expect((await other.browser.call('listWebhooks')).webhooks).toEqual([])
    for (const id_ of [id, '0', 'x'])
      for (const operation of [
        'updateWebhook',
        'verifyWebhook',
        'deleteWebhook',
        'rotateWebhook',
        'replayWebhook',
      ] as const)
        expect(await other.browser.request(operation, { id: id_ })).toMatchObject({
          status: 404,
          body: { error: 'webhook-not-found' },
        })
  })

  it.each([
    ['no address', { url: 'hooks.example' }],
    ['another scheme', { url: 'ftp://hooks.example' }],
    ['a script', { url: 'javascript:alert(1)' }],
    ['a password', { url: 'https://ada:secret@hooks.example' }],
    ['no event', { events: [] }],
    ['an event of one person', { events: ['message.created'] }],
    ['an event that there is not', { events: ['room.painted'] }],
  ])('refuses %s', async (_name, change) => {
    const input = { url: 'https://hooks.example', events: ['room.created'], ...change }
    const answer = await founder.browser.request('createWebhook', input as never)
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid-input' } })
  })

  it('makes at most twenty, also where two come at once', async () => {
    const busy = await newFounder(office)
    const make = () =>
      busy.browser.request('createWebhook', { url: 'https://hooks.example', events: ['room.created'] })
    for (let n = 0; n < 19; n += 1) await make()
    const statuses = (await Promise.all([make(), make()])).map(({ status }) => status)
    expect(statuses.sort()).toEqual([201, 409])
  })
})

describe('rules of webhooks', () => {
  it('want https in production', () => {
    expect(() => requireUrl('http://hooks.example', true)).toThrow('https://')
    expect(requireUrl('http://hooks.example', false)).toBe('http://hooks.example/')
    // it begins as it should: that is not what is wrong with it
    for (const url of ['https://hooks.example:99999', 'https://hooks example', 'hooks.example'])
      expect(() => requireUrl(url, true)).toThrow('such as https://hooks.example/atrium')
  })

  it('want a public address in production: of a name it is seen as it is called', () => {
    const hidden = [
      '10.0.0.1',
      '127.0.0.1',
      'localhost',
      'a.localhost',
      '[::1]',
      '169.254.169.254',
      'intranet',
    ]
    for (const host of hidden) {
      const url = `https://${host}/in`
      expect(() => requireUrl(url, true)).toThrow(expect.objectContaining({ error: 'address-not-public' }))
      expect(requireUrl(url, false)).toBe(url)
    }
    expect(requireUrl('https://93.184.216.34/in', true)).toBe('https://93.184.216.34/in')
  })

  it('know what an answer means', () => {
    const verdicts = [undefined, 200, 204, 299, 301, 400, 404, 408, 410, 429, 500].map(verdictOf)
    expect(verdicts.join(' ')).toBe(
      'trouble taken taken taken refused refused refused trouble gone trouble trouble',
    )
  })

  it('double the pause up to ten minutes, and never let all come back together', () => {
    expect([1, 2, 3, 8, 30].map((failures) => pauseSeconds(RETRY, failures, () => 0))).toEqual([
      5, 10, 20, 600, 600,
    ])
    expect(pauseSeconds(RETRY, 8, () => 1)).toBe(480)
  })
})
