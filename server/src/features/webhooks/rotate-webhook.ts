import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import { type Clock, secondsAfter } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import type { KeyRing } from '../../platform/secrets/sealed-column.ts'
import { onWebhook } from './change-webhook.ts'
import { FORMER_SECRET_SECONDS } from './rules.ts'
import { formerSecrets, newWebhookSecret, sealSecret } from './secrets.ts'
import { changeWebhook } from './webhook-store.ts'

interface Needs {
  db: Db
  clock: Clock
  webhookRing: KeyRing
}

/**
 * Gives a webhook of the active organization another secret. The former one signs beside it for a day, with those before it
 * that still do: of two rotations, the receiver may have the secret of neither.
 */
export async function rotateWebhook(
  needs: Needs,
  caller: CallerOf<'rotateWebhook'>,
  input: Input<'rotateWebhook'>,
): Promise<Reply<'rotateWebhook'>> {
  const secret = newWebhookSecret()
  const { id: organization } = caller.organization
  await onWebhook(needs, caller, input.id, 'webhook.rotated', async (tx, webhook, now) => {
    await changeWebhook(tx, webhook.id, {
      sealed_secret: sealSecret(needs.webhookRing, secret, organization),
      sealed_former_secret: formerSecrets(needs.webhookRing, webhook, { organization, now }),
      former_secret_until: secondsAfter(now, FORMER_SECRET_SECONDS),
    })
    return { answer: undefined, detail: { host: new URL(webhook.url).host } }
  })
  return { status: 200, body: { secret } }
}
