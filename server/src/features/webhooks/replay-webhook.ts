import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { parseInternalId } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import { onWebhook } from './change-webhook.ts'
import { hasDelivery, queueAgain } from './delivery-store.ts'

interface Needs {
  db: Db
  clock: Clock
}

/** Sends again one event of a webhook of the active organization, or all that could not be delivered. */
export async function replayWebhook(
  needs: Needs,
  caller: CallerOf<'replayWebhook'>,
  input: Input<'replayWebhook'>,
): Promise<Reply<'replayWebhook'>> {
  const replayed = await onWebhook(needs, caller, input.id, 'webhook.replayed', async (tx, webhook, now) => {
    const delivery = await requireDelivery(tx, webhook.id, input.deliveryId)
    if (webhook.switched_off_at !== null) throw Refusal.of('webhook-off')
    if (webhook.verified_at === null) throw Refusal.of('webhook-unverified')
    const answer = await queueAgain(tx, webhook.id, delivery, now)
    return { answer, detail: { deliveries: answer } }
  })
  return { status: 200, body: { replayed } }
}

async function requireDelivery(
  tx: Tx,
  webhook: string,
  text: string | undefined,
): Promise<string | undefined> {
  if (text === undefined) return undefined
  const id = parseInternalId(text)
  if (id !== undefined && (await hasDelivery(tx, webhook, id))) return id
  throw Refusal.of('delivery-not-found')
}
