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
    const { founder, receiver, subscribe, makeRoom } = scene()
    const { id } = await founder.browser.call('createWebhook', {
      url: 'http://127.0.0.1:9/',
      events: ['room.created'],
    })
    await makeRoom('One')
    const failing = async () => (await founder.browser.call('listWebhooks')).webhooks[0]?.failingSince
    await until(async () => (await failing()) !== null)
    expect(await founder.browser.call('updateWebhook', { id, url: receiver.url })).toMatchObject({
      webhook: { failingSince: null },
    })
    await subscribe(['room.deleted'])
    await makeRoom('Two')
    await until(() => receiver.arrivals.length > 0)
    expect(receiver.arrivals[0]?.data.name).toBe('Two')
  })
})
