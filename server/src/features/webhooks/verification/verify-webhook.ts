import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../../access/caller.ts'
import { parseInternalId } from '../../../platform/ids.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { constantTimeEquals } from '../../../platform/secrets/secret.ts'
import { onWebhook } from '../change-webhook.ts'
import { findWebhook, type WebhookRow } from '../webhook-store.ts'
import { type AskingNeeds, sendTest } from './ask-receiver.ts'
import { agree, challengeOf, takeTry } from './challenges.ts'

/** Has the receiver of a webhook of the active organization asked again, or takes what the test has carried. */
export async function verifyWebhook(
  needs: AskingNeeds,
  caller: CallerOf<'verifyWebhook'>,
  input: Input<'verifyWebhook'>,
): Promise<Reply<'verifyWebhook'>> {
  const id = parseInternalId(input.id)
  const webhook = id === undefined ? undefined : await findWebhook(needs.db, caller.organization.id, id)
  if (!webhook) throw Refusal.of('webhook-not-found')
  requireUnverified(webhook)
  if (input.challenge === undefined) return await askAgain(needs, caller, webhook)
  return await enter(needs, caller, webhook, input.challenge)
}

async function askAgain(
  needs: AskingNeeds,
  caller: CallerOf<'verifyWebhook'>,
  { id, url }: WebhookRow,
): Promise<Reply<'verifyWebhook'>> {
  await needs.budgets.drawWebhookTest(caller, caller.organization.id, url, 'again')
  await onWebhook(needs, caller, id, 'webhook.tested', async (tx, webhook, now) => {
    requireUnverified(webhook)
    await sendTest(tx, needs.webhookRing, webhook, now)
    return { answer: undefined, detail: { host: new URL(webhook.url).host } }
  })
  return { status: 200, body: { state: 'unverified' } }
}

async function enter(
  needs: AskingNeeds,
  caller: CallerOf<'verifyWebhook'>,
  webhook: WebhookRow,
  entered: string,
): Promise<Reply<'verifyWebhook'>> {
  const challenge = challengeOf(needs.webhookRing, webhook, needs.clock.now())
  const isLeft = challenge !== undefined && (await takeTry(needs.db, webhook))
  if (!isLeft || !constantTimeEquals(entered, challenge)) throw Refusal.of('wrong-challenge')
  await onWebhook(needs, caller, webhook.id, 'webhook.verified', async (tx, _locked, now) => {
    if (!(await agree(tx, webhook, now))) throw Refusal.of('wrong-challenge')
    return { answer: undefined, detail: { host: new URL(webhook.url).host, by: 'admin' } }
  })
  return { status: 200, body: { state: 'verified' } }
}

function requireUnverified({ verified_at }: WebhookRow): void {
  if (verified_at !== null) throw Refusal.of('already-verified')
}
