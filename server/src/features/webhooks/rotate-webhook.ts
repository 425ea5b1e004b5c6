import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import { type Clock, secondsAfter } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import type { KeyRing } from '../../platform/secrets/sealed-column.ts'
import { onWebhook } from './change-webhook.ts'
import { FORMER_SECRET_SECONDS } from './rules.ts'
import { newWebhookSecret, sealSecret } from './secrets.ts'
import { changeWebhook } from './webhook-store.ts'

interface Needs {
  db: Db
  clock: Clock
  webhookRing: KeyRing
}

/** Gives a webhook of the active organization another secret. The former one signs beside it for a day. */
export async function rotateWebhook(
  needs: Needs,
  caller: CallerOf<'rotateWebhook'>,
  input: Input<'rotateWebhook'>,
): Promise<Reply<'rotateWebhook'>> {
  const secret = newWebhookSecret()
  await onWebhook(needs, caller, input.id, 'webhook.rotated', async (tx, webhook, now) => {
    await changeWebhook(tx, webhook.id, {
      sealed_secret: sealSecret(needs.webhookRing, secret, caller.organization.id),
      sealed_former_secret: webhook.sealed_secret,
      former_secret_until: secondsAfter(now, FORMER_SECRET_SECONDS),
    })
    return { answer: undefined, detail: { host: new URL(webhook.url).host } }
  })
  return { status: 200, body: { secret } }
}
