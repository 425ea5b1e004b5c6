import { describe, expect, it } from 'vitest'
import { webhookScenes } from '../../../tests/chapters/webhook-scene.ts'
import { until } from '../../../tests/until.ts'

describe('rotateWebhook', () => {
  const scene = webhookScenes()

  it('signs with both secrets for a day, and with the new one only from then on', async () => {
    const { office, founder, receiver, subscribe, makeRoom, deliveries } = scene()
    const { id, secret: former } = await subscribe()
    const { secret } = await founder.browser.call('rotateWebhook', { id })
    await makeRoom('One')
    // an attempt that is under way while time leaps would be made again
    await until(async () => (await deliveries(id))[0]?.state === 'delivered')
    receiver.verify(secret)
    receiver.verify(former)
    const moreThanADay = 24 * 3_600 + 60
    office.clock.advance(moreThanADay)
    try {
      await makeRoom('Two')
      await until(() => receiver.arrivals.at(-1)?.data.name === 'Two')
      expect(receiver.arrivals.at(-1)?.headers['webhook-signature']?.split(' ')).toHaveLength(1)
    } finally {
      office.clock.advance(-moreThanADay)
    }
  })
})
