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
    // the reply of a rotation may be lost: what the receiver has goes on to be signed with
    const again = await founder.browser.call('rotateWebhook', { id })
    await makeRoom('Again')
    await until(() => receiver.arrivals.at(-1)?.data.name === 'Again')
    for (const one of [former, secret, again.secret]) receiver.verify(one)
    for (let more = 0; more < 3; more += 1) await founder.browser.call('rotateWebhook', { id })
    await makeRoom('Often')
    await until(() => receiver.arrivals.at(-1)?.data.name === 'Often')
    expect(receiver.arrivals.at(-1)?.headers['webhook-signature']?.split(' ')).toHaveLength(4)
    await until(async () => (await deliveries(id))[0]?.state === 'delivered')
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
