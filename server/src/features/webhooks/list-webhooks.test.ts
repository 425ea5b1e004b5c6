import { describe, expect, it } from 'vitest'
import { webhookScenes } from '../../../tests/chapters/webhook-scene.ts'
import { until } from '../../../tests/until.ts'

describe('listWebhooks', () => {
  const scene = webhookScenes()

  it('shows the newest first, and since when one has been failing', async () => {
    const { founder, receiver, subscribe, makeRoom } = scene()
    receiver.answers = 500
    const { id } = await subscribe()
    const { id: newer } = await founder.browser.call('createWebhook', {
      url: 'https://hooks.example',
      events: ['member.joined'],
    })
    await makeRoom('One')
    const list = async () => (await founder.browser.call('listWebhooks')).webhooks
    await until(async () => (await list())[1]?.failingSince !== null)
    expect(await list()).toMatchObject([
      { id: newer, failingSince: null },
      { id, failingSince: expect.any(String), enabled: true },
    ])
  })
})
