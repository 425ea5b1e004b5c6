import { describe, expect, it } from 'vitest'
import { webhookScenes } from '../../../tests/chapters/webhook-scene.ts'
import { hold, untilBlocked } from '../../../tests/held-locks.ts'
import { until } from '../../../tests/until.ts'

describe('deleteWebhook', () => {
  const scene = webhookScenes()

  it('sends nothing more, not what was waiting either, and has no log any more', async () => {
    const { office, founder, receiver, subscribe, makeRoom, deliveries, drain } = scene()
    receiver.answers = 500
    const { id } = await subscribe()
    await makeRoom('One')
    await until(async () => (await deliveries(id))[0]?.status === 500)
    await founder.browser.call('deleteWebhook', { id })
    for (const operation of ['listWebhookDeliveries', 'deleteWebhook'] as const)
      expect(await founder.browser.request(operation, { id })).toMatchObject({ status: 404 })
    await drain()
    const sent = receiver.arrivals.length
    await makeRoom('Two')
    office.clock.advance(3_600)
    try {
      await drain()
      expect(receiver.arrivals).toHaveLength(sent)
    } finally {
      office.clock.advance(-3_600)
    }
  })
  it('fails nothing that happens while it is deleted', async () => {
    const { office, founder, subscribe, makeRoom } = scene()
    const { id } = await subscribe()
    const deletion = await hold(office, 'delete from webhooks where id = $1', [id])
    const made = makeRoom('Meanwhile')
    await untilBlocked(office, 1)
    await deletion.commit()
    const { room } = await made
    const { rooms } = await founder.browser.call('listRooms')
    expect(rooms.map((one) => one.id)).toContain(room.id)
  })
})
