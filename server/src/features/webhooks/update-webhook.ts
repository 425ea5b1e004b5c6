import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { onWebhook } from './change-webhook.ts'
import { distinctEvents, requireUrl } from './rules.ts'
import { changeWebhook, type WebhookChange } from './webhook-store.ts'
import { toWebhook } from './webhook-view.ts'

interface Needs {
  db: Db
  clock: Clock
  webhooksPublicOnly: boolean
}

/** Changes a webhook of the active organization. Another address, or being switched on, begins without failures. */
export async function updateWebhook(
  needs: Needs,
  caller: CallerOf<'updateWebhook'>,
  input: Input<'updateWebhook'>,
): Promise<Reply<'updateWebhook'>> {
  const url = input.url === undefined ? undefined : requireUrl(input.url, needs.webhooksPublicOnly)
  const events = input.events && distinctEvents(input.events)
  const webhook = await onWebhook(needs, caller, input.id, 'webhook.updated', async (tx, before, now) => {
    const isOff = before.switched_off_at !== null
    const beginsAnew = (url !== undefined && url !== before.url) || (input.enabled === true && isOff)
    const change: WebhookChange = {
      url: url ?? before.url,
      events: events ?? before.events,
      switched_off_at: switchedOffAt(before.switched_off_at, input.enabled, now),
      ...(beginsAnew && { failing_since: null, failures: 0, paused_until: null }),
    }
    const answer = await changeWebhook(tx, before.id, change)
    const detail = {
      host: new URL(answer.url).host,
      events: answer.events.join(' '),
      enabled: answer.switched_off_at === null ? 'true' : 'false',
    }
    return { answer, detail }
  })
  return { status: 200, body: { webhook: toWebhook(webhook) } }
}

function switchedOffAt(before: Date | null, enabled: boolean | undefined, now: Date): Date | null {
  if (enabled === undefined) return before
  return enabled ? null : (before ?? now)
}
