import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import { parseInternalId } from '../../platform/ids.ts'
import { onWebhook } from './change-webhook.ts'
import { distinctEvents, requireUrl } from './rules.ts'
import { type AskingNeeds, mayAskReceiver, sendTest } from './verification/ask-receiver.ts'
import { NO_CHALLENGE } from './verification/challenges.ts'
import { changeWebhook, findWebhook, type WebhookChange } from './webhook-store.ts'
import { toWebhook } from './webhook-view.ts'

interface Needs extends AskingNeeds {
  webhooksPublicOnly: boolean
}

/**
 * Changes a webhook of the active organization. Another address, or being switched on, begins without failures; the
 * receiver at another address is asked whether it agrees.
 */
export async function updateWebhook(
  needs: Needs,
  caller: CallerOf<'updateWebhook'>,
  input: Input<'updateWebhook'>,
): Promise<Reply<'updateWebhook'>> {
  const url = input.url === undefined ? undefined : requireUrl(input.url, needs.webhooksPublicOnly)
  const mayAsk = url !== undefined && (await mayAskAt(needs, caller, input.id, url))
  const webhook = await onWebhook(needs, caller, input.id, 'webhook.updated', async (tx, before, now) => {
    const events = input.events && distinctEvents(input.events, before.bot_id !== null)
    const isOff = before.switched_off_at !== null
    const moved = url !== undefined && url !== before.url
    const beginsAnew = moved || (input.enabled === true && isOff)
    const change: WebhookChange = {
      url: url ?? before.url,
      events: events ?? before.events,
      switched_off_at: switchedOffAt(before.switched_off_at, input.enabled, now),
      ...(moved && { ...NO_CHALLENGE, verified_at: null }),
      ...(beginsAnew && { failing_since: null, failures: 0, paused_until: null }),
    }
    const changed = await changeWebhook(tx, before.id, change)
    if (moved && mayAsk) await sendTest(tx, needs.webhookRing, changed, now)
    const detail = {
      host: new URL(changed.url).host,
      events: changed.events.join(' '),
      enabled: changed.switched_off_at === null ? 'true' : 'false',
    }
    return { answer: changed, detail }
  })
  return { status: 200, body: { webhook: toWebhook(webhook) } }
}

/** Whether the receiver at another address may be asked; the same address draws on nothing. */
async function mayAskAt(
  needs: Needs,
  caller: CallerOf<'updateWebhook'>,
  text: string,
  url: string,
): Promise<boolean> {
  const id = parseInternalId(text)
  const before = id && (await findWebhook(needs.db, caller.organization.id, id))
  return before !== undefined && before.url !== url && (await mayAskReceiver(needs, caller, url))
}

function switchedOffAt(before: Date | null, enabled: boolean | undefined, now: Date): Date | null {
  if (enabled === undefined) return before
  return enabled ? null : (before ?? now)
}
