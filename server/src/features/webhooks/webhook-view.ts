import type { Reply } from '@atrium/contract'
import type { WebhookRow } from './webhook-store.ts'

/** A webhook as the wire shows it: never its secrets. */
export function toWebhook(row: WebhookRow): Reply<'updateWebhook'>['body']['webhook'] {
  return {
    id: row.id,
    url: row.url,
    events: row.events,
    ...(row.bot_id === null ? {} : { botId: row.bot_id }),
    state: stateOf(row),
    enabled: row.switched_off_at === null,
    failingSince: row.failing_since?.toISOString() ?? null,
    createdBy: row.created_by ?? '',
    createdAt: row.created_at.toISOString(),
  }
}

/** Whether the receiver at its address has agreed. */
export function stateOf({
  verified_at,
}: Pick<WebhookRow, 'verified_at'>): Reply<'verifyWebhook'>['body']['state'] {
  return verified_at === null ? 'unverified' : 'verified'
}
