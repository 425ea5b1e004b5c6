import { bringForward } from '../../../platform/background/work-items.ts'
import { secondsAfter } from '../../../platform/clock.ts'
import type { Db, Tx } from '../../../platform/database/database.ts'
import { trusted } from '../../../platform/ids.ts'
import type { KeyRing } from '../../../platform/secrets/sealed-column.ts'
import { WEBHOOK_QUEUE } from '../deliver.ts'
import { CHALLENGE_SECONDS, CHALLENGE_TRIES } from '../rules.ts'
import { newChallenge, openSecret, sealSecret } from '../secrets.ts'
import { changeWebhook, lockWebhook, type WebhookChange, type WebhookRow } from '../webhook-store.ts'

/** For a webhook that is to be asked again, or has agreed. */
export const NO_CHALLENGE = {
  sealed_challenge: null,
  challenge_until: null,
  challenge_tries: 0,
} as const satisfies WebhookChange

/** Gives a webhook another challenge. The one before is good for nothing. */
export async function giveChallenge(
  tx: Tx,
  ring: KeyRing,
  { id, organization_id }: WebhookRow,
  now: Date,
): Promise<void> {
  await changeWebhook(tx, id, {
    sealed_challenge: sealSecret(ring, newChallenge(), organization_id),
    challenge_until: secondsAfter(now, CHALLENGE_SECONDS),
    challenge_tries: 0,
  })
}

/** Whether a webhook has a challenge that is good still. */
export function hasChallenge({ sealed_challenge, challenge_until }: WebhookRow, now: Date): boolean {
  return sealed_challenge !== null && challenge_until !== null && challenge_until > now
}

/** @returns undefined where there is none, it has ended, or no key of this node opens it */
export function challengeOf(ring: KeyRing, webhook: WebhookRow, now: Date): string | undefined {
  const { organization_id, sealed_challenge } = webhook
  if (!sealed_challenge || !hasChallenge(webhook, now)) return undefined
  return openSecret(ring, sealed_challenge, organization_id)
}

/** Before what was entered is compared, so that many at once are no more tries. @returns false where none is left */
export async function takeTry(db: Db, { id, sealed_challenge }: WebhookRow): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('webhooks')
    .set(({ eb }) => ({ challenge_tries: eb('challenge_tries', '+', 1) }))
    .where('id', '=', id)
    .where('sealed_challenge', '=', sealed_challenge)
    .where('challenge_tries', '<', CHALLENGE_TRIES)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * The receiver agrees. What has waited for that is sent now.
 * @param asked the webhook as it was asked
 * @returns false where it has another address or another challenge by now, or has agreed already
 */
export async function agree(tx: Tx, asked: WebhookRow, now: Date): Promise<boolean> {
  const organization = trusted.organizationId(asked.organization_id)
  const webhook = await lockWebhook(tx, organization, trusted.rowId(asked.id))
  if (!webhook || !asked.sealed_challenge || !webhook.sealed_challenge?.equals(asked.sealed_challenge))
    return false
  await changeWebhook(tx, asked.id, { ...NO_CHALLENGE, verified_at: now })
  await bringForward(tx, { queue: WEBHOOK_QUEUE, organization, subjects: `${asked.id} ` }, now)
  return true
}
