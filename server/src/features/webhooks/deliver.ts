import { OPERATOR, recordAudit } from '../../access/audit/audit-trail.ts'
import { listAdmins } from '../../directory/members/members.ts'
import { findOrganizationById, nameOrganization } from '../../directory/organizations.ts'
import { listAddressees } from '../../directory/users.ts'
import { workQueue } from '../../platform/background/work-payload.ts'
import { type Again, pauseSeconds, type Work, type WorkQueue } from '../../platform/background/work-queue.ts'
import { type Clock, secondsAfter } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { type OrganizationId, trusted } from '../../platform/ids.ts'
import { queueMails } from '../../platform/mail/mail-queue.ts'
import { Type } from '../../platform/schema.ts'
import type { KeyRing } from '../../platform/secrets/sealed-column.ts'
import { LANES, shareDeliveries } from './delivery-shares.ts'
import { type DeliveryRow, findDelivery, giveUp, noteAttempt } from './delivery-store.ts'
import { switchedOffMail } from './mails.ts'
import { RETRY, TRIED_SECONDS, type Verdict, verdictOf } from './rules.ts'
import { openSecret, signatureHeaders } from './secrets.ts'
import { findWebhook, noteFailure, noteSuccess, switchOff, type WebhookRow } from './webhook-store.ts'

export interface DeliveryNeeds {
  db: Db
  clock: Clock
  webhookRing: KeyRing
  mailRing: KeyRing
  /** @returns the HTTP status of the answer. @throws where there was none within the time */
  post(url: string, headers: Record<string, string>, body: string): Promise<number>
}

/** Filled by the trigger function `enqueue_webhook_delivery` (migration 0030). */
const WEBHOOK_QUEUE = 'webhooks'

/**
 * Sends events to webhooks. The pauses are the handler's own: they are the webhook's, not those of one event, so that a
 * receiver that is away is asked now and then, and not once for each event that waits for it.
 */
export function webhookQueue(needs: DeliveryNeeds): WorkQueue {
  const shares = shareDeliveries()
  return workQueue({
    name: WEBHOOK_QUEUE,
    lanes: { default: LANES },
    retry: RETRY,
    payload: Type.Object({ delivery: Type.String() }),
    async handle(work) {
      const delivery = await findDelivery(needs.db, work.payload.delivery)
      if (delivery?.state !== 'pending') return undefined
      const now = needs.clock.now()
      const owner = trusted.organizationId(delivery.organization_id)
      const webhook = await findWebhook(needs.db, owner, delivery.webhook_id)
      const organization = await findOrganizationById(needs.db, owner)
      if (!webhook || !organization || webhook.switched_off_at !== null)
        return await giveUp(needs.db, delivery.id)
      if (webhook.paused_until && webhook.paused_until > now)
        return { againAt: shares.turnOf(webhook.id, webhook.paused_until) }
      const done = shares.take({ webhook: webhook.id, organization: owner })
      if (!done) return { againAt: shares.turnOf(webhook.id, now) }
      try {
        const envelope = envelopeOf(delivery, organization.identityId)
        return await attempt(needs, work, { delivery, webhook, organization: organization.id, envelope })
      } finally {
        done()
      }
    },
  })
}

interface Outgoing {
  delivery: DeliveryRow
  webhook: WebhookRow
  organization: OrganizationId
  /** The body. */
  envelope: string
}

async function attempt(needs: DeliveryNeeds, work: Work, outgoing: Outgoing): Promise<Again | undefined> {
  const { db, clock } = needs
  const { delivery, webhook } = outgoing
  const status = await send(needs, work, outgoing)
  const verdict = verdictOf(status)
  const now = clock.now()
  if (verdict === 'taken') {
    await noteAttempt(db, delivery.id, { state: 'delivered', status: status ?? null })
    await noteSuccess(db, webhook.id)
    return undefined
  }
  const pausedUntil =
    verdict === 'trouble' ? secondsAfter(now, pauseSeconds(RETRY, webhook.failures + 1)) : null
  const failingSince = await noteFailure(db, webhook, now, pausedUntil)
  const isGone = verdict === 'gone' && failingSince !== undefined
  const isOver = isGone || delivery.queued_at <= secondsAfter(now, -TRIED_SECONDS)
  await noteAttempt(db, delivery.id, { state: isOver ? 'failed' : 'pending', status: status ?? null })
  if (isGone || (failingSince && failingSince <= secondsAfter(now, -TRIED_SECONDS)))
    await switchOffAndTell(needs, outgoing, verdict, now)
  if (isOver) return undefined
  return { againAt: pausedUntil ?? secondsAfter(now, pauseSeconds(RETRY, delivery.attempts + 1)) }
}

/** @returns undefined where there was no answer */
async function send(
  { clock, webhookRing, post }: DeliveryNeeds,
  { log }: Work,
  { delivery, webhook, organization, envelope }: Outgoing,
): Promise<number | undefined> {
  const now = clock.now()
  const former = webhook.former_secret_until && webhook.former_secret_until > now
  const sealed = [webhook.sealed_secret, ...(former ? [webhook.sealed_former_secret] : [])]
  const secrets = sealed.flatMap((one) => (one && openSecret(webhookRing, one, organization)) ?? [])
  if (secrets.length === 0) {
    // unsigned, a receiver would refuse it: until the key is back, or the secret rotated, it counts as not answered
    log.error({ webhook: webhook.id }, 'no key opens the secret of a webhook (npx atrium keys status)')
    return undefined
  }
  const headers = signatureHeaders(secrets, { id: delivery.event_id, now, body: envelope })
  try {
    return await post(webhook.url, headers, envelope)
  } catch (error) {
    // the address may carry somebody's token: it is not repeated
    const { name } = (error as { cause?: Error }).cause ?? (error as Error)
    log.debug({ webhook: webhook.id, failure: name }, 'a webhook did not answer')
    return undefined
  }
}

function envelopeOf({ event_id, event, time, data }: DeliveryRow, organizationId: string): string {
  return JSON.stringify({ id: event_id, type: event, timestamp: time, organizationId, data })
}

/** Its admins learn of it: what happens from now on is not sent. */
async function switchOffAndTell(
  { db, mailRing }: DeliveryNeeds,
  { webhook, organization }: Outgoing,
  verdict: Verdict,
  now: Date,
): Promise<void> {
  const host = new URL(webhook.url).host
  await transaction(db, async (tx) => {
    if (!(await switchOff(tx, webhook, now))) return
    const admins = await listAdmins(tx, organization)
    const people = await listAddressees(
      tx,
      admins.map(({ id }) => id),
    )
    const { name } = await nameOrganization(tx, organization)
    const mails = people.map((addressee) => switchedOffMail(addressee, { host, name }))
    await queueMails(tx, mailRing, mails, {
      mailClass: 'invitation',
      organization,
      now,
      notAfter: secondsAfter(now, TRIED_SECONDS),
    })
    await recordAudit(tx, organization, OPERATOR, now, {
      action: 'webhook.switched-off',
      target: { kind: 'webhook', id: webhook.id },
      detail: { host, reason: verdict === 'gone' ? 'gone' : 'failing' },
    })
  })
}
