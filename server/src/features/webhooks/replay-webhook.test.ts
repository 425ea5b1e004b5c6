import { describe, expect, it } from 'vitest'
import { until } from '../../../tests/until.ts'
import { webhookScenes } from '../../../tests/webhook-scene.ts'

describe('replayWebhook', () => {
  const scene = webhookScenes()

  it('sends one event again under its id, whatever became of it, and says so in the audit trail', async () => {
    const { founder, receiver, subscribe, makeRoom, deliveries } = scene()
    const { id } = await subscribe()
    await makeRoom('One')
    await until(async () => (await deliveries(id))[0]?.state === 'delivered')
    const [delivery] = await deliveries(id)
    const deliveryId = delivery?.id as string
    expect(await founder.browser.call('replayWebhook', { id, deliveryId })).toEqual({ replayed: 1 })
    await until(() => receiver.arrivals.length >= 2)
    expect(receiver.arrivals.map((arrival) => arrival.id)).toEqual([delivery?.eventId, delivery?.eventId])
    const { data: audit } = await founder.browser.call('listAuditLog', { limit: 1 })
    expect(audit).toMatchObject([{ action: 'webhook.replayed', detail: { deliveries: 1 } }])
  })

  it('sends nothing where nothing has failed, and knows no deliveries of other webhooks', async () => {
    const { founder, subscribe, makeRoom, deliveries } = scene()
    const [{ id }, { id: other }] = [await subscribe(), await subscribe()]
    expect(await founder.browser.call('replayWebhook', { id })).toEqual({ replayed: 0 })
    await makeRoom('One')
    await until(async () => (await deliveries(other)).length === 1)
    const [delivery] = await deliveries(other)
    const { status, body } = await founder.browser.request('replayWebhook', {
      id,
      deliveryId: delivery?.id as string,
    })
    expect({ status, body }).toMatchObject({ status: 404, body: { error: 'delivery-not-found' } })
  })
})
