import { describe, expect, it } from 'vitest'
import { webhookScenes } from '../../../tests/chapters/webhook-scene.ts'
import { until } from '../../../tests/until.ts'

describe('listWebhookDeliveries', () => {
  const scene = webhookScenes()

  it('has pages, newest first, and refuses what is no cursor', async () => {
    const { founder, subscribe, makeRoom, deliveries } = scene()
    const { id } = await subscribe()
    for (const name of ['One', 'Two', 'Three']) await makeRoom(name)
    await until(async () => (await deliveries(id)).every(({ state }) => state === 'delivered'))
    const whole = await deliveries(id)
    expect(whole).toHaveLength(3)
    const page = (more: object) => founder.browser.call('listWebhookDeliveries', { id, limit: 2, ...more })
    const first = await page({})
    const second = await page({ after: first.after })
    expect([...first.data, ...second.data].map((one) => one.id)).toEqual(whole.map((one) => one.id))
    expect((await page({ before: second.before })).data).toEqual(first.data)
    expect(await founder.browser.request('listWebhookDeliveries', { id, after: 'nonsense' })).toMatchObject({
      status: 400,
    })
  })

  it('forgets deliveries after thirty days', async () => {
    const { office, subscribe, makeRoom, deliveries } = scene()
    const { id } = await subscribe()
    await makeRoom('Old')
    await until(async () => (await deliveries(id))[0]?.state === 'delivered')
    await office.database.pool.query(
      `update webhook_deliveries set created_at = created_at - interval '31 days'`,
    )
    await until(async () => office.office.jobs.isLeader())
    await office.office.jobs.runNow('purge-webhook-deliveries')
    expect(await deliveries(id)).toEqual([])
  })
})
