import { describe, expect, it } from 'vitest'
import { webhookScenes } from '../../../tests/chapters/webhook-scene.ts'
import { until } from '../../../tests/until.ts'

/** More subjects than the lock table of a usual server holds. */
const MANY = 20_000

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

  it('sends the oldest thousand that have failed at once: one transaction has no room for the subjects of all', async () => {
    const { founder, office, receiver, subscribe } = scene()
    receiver.answers = 503
    const { id } = await subscribe()
    const { rows } = await office.database.pool.query<{ id: string }>(
      `insert into webhook_deliveries (organization_id, webhook_id, event_id, event, time, data, created_at, queued_at, state)
      select w.organization_id, w.id, gen_random_uuid(), 'room.created', '', jsonb_build_object('roomId', n), now(), now(), 'failed'
      from webhooks w, generate_series(1, $2::int) n where w.id = $1 order by n returning id`,
      [id, MANY],
    )
    await office.database.pool.query(
      `update webhooks set paused_until = now() + interval '1 hour' where id = $1`,
      [id],
    )
    expect(await founder.browser.call('replayWebhook', { id })).toEqual({ replayed: 1_000 })
    const waiting = await office.database.pool.query(
      `select min(id) as first, max(id) as last from webhook_deliveries where webhook_id = $1 and state = 'pending'`,
      [id],
    )
    expect(waiting.rows).toEqual([{ first: rows[0]?.id, last: rows[999]?.id }])
  })
})
