import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { until } from '../../../tests/until.ts'
import { type WebhookScene, webhookScene } from '../../../tests/webhook-scene.ts'

describe('listWebhooks', () => {
  let office: TestOffice
  let scene: WebhookScene
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())
  beforeEach(async () => {
    scene = await webhookScene(office)
  })
  afterEach(() => scene.receiver.close())

  it('shows the newest first, and since when one has been failing', async () => {
    const { founder, receiver, subscribe, makeRoom } = scene
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
