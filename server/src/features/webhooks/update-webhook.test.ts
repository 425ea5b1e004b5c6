import { describe, expect, it } from 'vitest'
import { webhookScenes } from '../../../tests/chapters/webhook-scene.ts'
import { until } from '../../../tests/until.ts'

describe('updateWebhook', () => {
  const scene = webhookScenes()

  it('changes address, events and whether it is on', async () => {
    const { founder, subscribe } = scene()
    const { id } = await subscribe()
    const change = (more: object) => founder.browser.call('updateWebhook', { id, ...more })
    expect(await change({ enabled: false })).toMatchObject({ webhook: { enabled: false } })
    expect(await change({ url: 'https://b.example' })).toMatchObject({
      webhook: { enabled: false, url: 'https://b.example/', events: ['room.created'] },
    })
    expect(await change({ enabled: true, events: ['room.deleted'] })).toMatchObject({
      webhook: { enabled: true, events: ['room.deleted'] },
    })
    expect(await founder.browser.request('updateWebhook', { id, url: 'nowhere' })).toMatchObject({
      status: 400,
      body: { details: [{ field: 'url' }] },
    })
  })

  it.each(['f47ac10b-58cc-4372-a567-0e02b2c3d479', 'nonsense', '0', '-1', '9223372036854775808'])(
    'is not found by %s, whatever is to be changed',
    async (id) => {
      const { founder } = scene()
      const changes = [
        { url: 'https://hooks.example/' },
        { enabled: false },
        { events: ['room.left' as const] },
      ]
      for (const change of changes)
        expect(await founder.browser.request('updateWebhook', { id, ...change })).toMatchObject({
          status: 404,
          body: { error: 'webhook-not-found' },
        })
    },
  )

  it('sends nothing of what happens while it is off', async () => {
    const { founder, receiver, subscribe, makeRoom } = scene()
    const { id } = await subscribe()
    await founder.browser.call('updateWebhook', { id, enabled: false })
    await makeRoom('Not told')
    await founder.browser.call('updateWebhook', { id, enabled: true })
    await makeRoom('Told')
    await until(() => receiver.arrivals.length > 0)
    expect(receiver.arrivals.map(({ data }) => data.name)).toEqual(['Told'])
  })

  it('begins without a pause at another address', async () => {
    const { office, founder, receiver, makeRoom } = scene()
    const { id } = await founder.browser.call('createWebhook', {
      url: 'http://127.0.0.1:9/',
      events: ['room.created'],
    })
    await office.database.pool.query('update webhooks set verified_at = now() where id = $1', [id])
    await makeRoom('One')
    const failing = async () => (await founder.browser.call('listWebhooks')).webhooks[0]?.failingSince
    await until(async () => (await failing()) !== null)
    expect(await founder.browser.call('updateWebhook', { id, url: receiver.url })).toMatchObject({
      webhook: { failingSince: null },
    })
    await makeRoom('Two')
    // what has waited is sent to the new address too, once it has agreed
    await until(() => receiver.arrivals.length > 1)
    expect(receiver.arrivals.map(({ data }) => data.name).sort()).toEqual(['One', 'Two'])
  })

  it('is unverified at another address, and sends nothing there until it agrees', async () => {
    const { founder, receiver, subscribe, makeRoom } = scene()
    const { id } = await subscribe()
    receiver.agrees = false
    const url = `${receiver.url}&other`
    const change = async (input: { url: string } | { events: ['room.created'] }) =>
      (await founder.browser.call('updateWebhook', { id, ...input })).webhook.state
    expect(await change({ url: receiver.url })).toBe('verified')
    expect(await change({ url })).toBe('unverified')
    await until(() => receiver.tests.at(-1)?.path.endsWith('&other') === true)
    expect(await change({ events: ['room.created'] })).toBe('unverified')
    // what the former address has agreed to is forgotten
    expect(await change({ url: receiver.url })).toBe('unverified')
    await until(() => receiver.tests.length === 3)
    await makeRoom('Held')
    receiver.agrees = true
    expect(await founder.browser.call('verifyWebhook', { id })).toEqual({ state: 'unverified' })
    await until(() => receiver.arrivals.length > 0)
    expect(receiver.arrivals.map(({ data, path }) => [data.name, path])).toEqual([
      ['Held', '/hook?key=canary'],
    ])
  })
})
