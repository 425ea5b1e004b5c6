import { botEventNames } from '@atrium/contract'
import { OPERATOR, recordAudit } from '../../access/audit/audit-trail.ts'
import { listAdmins } from '../../directory/members/members.ts'
import { findActiveMembership } from '../../directory/members/memberships.ts'
import { findOrganizationById, nameOrganization } from '../../directory/organizations.ts'
import { decidedLanguage } from '../../directory/settings.ts'
import { listAddressees } from '../../directory/users.ts'
import { shareLanes } from '../../platform/background/lane-shares.ts'
import { workQueue } from '../../platform/background/work-payload.ts'
import {
  type Again,
  pauseByAge,
  pauseSeconds,
  type Work,
  type WorkQueue,
} from '../../platform/background/work-queue.ts'
import { secondsAfter } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { type OrganizationId, trusted } from '../../platform/ids.ts'
import { queueMails } from '../../platform/mail/mail-queue.ts'
import type { PostAnswer } from '../../platform/outside/post-outside.ts'
import { Type } from '../../platform/schema.ts'
import type { KeyRing } from '../../platform/secrets/sealed-column.ts'
import { messageAsTold } from '../chat/reads.ts'
import { type DeliveryRow, findDelivery, forgetDelivery, giveUp, noteAttempt } from './delivery-store.ts'
import { switchedOffMail } from './mails.ts'
import { bodyOf, type SendingNeeds, send } from './post.ts'
import { RETRY, RETRY_AFTER_MAX_SECONDS, TRIED_SECONDS, type Verdict, verdictOf } from './rules.ts'
import { findWebhook, noteFailure, noteSuccess, switchOff, type WebhookRow } from './webhook-store.ts'

export interface DeliveryNeeds extends SendingNeeds {
  db: Db
  mailRing: KeyRing
}

/** Filled by the trigger function `enqueue_webhook_delivery` (migration 0030). */
export const WEBHOOK_QUEUE = 'webhooks'

/** How many events leave a node at a time. */
const LANES = 24
/** One that answers slowly leaves lanes to other webhooks. */
const SHARES = { one: 2, organization: 6, slow: 12 }

/**
 * Sends events to webhooks. The pauses are the handler's own: they are the webhook's, not those of one event, so that a
 * receiver that is away is asked now and then, and not once for each event that waits for it.
 */
export function webhookQueue(needs: DeliveryNeeds): WorkQueue {
  const shares = shareLanes(SHARES)
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
      const webhook = await findWebhook(needs.db, owner, trusted.rowId(delivery.webhook_id))
      const organization = await findOrganizationById(needs.db, owner)
      if (!webhook || !organization || webhook.switched_off_at !== null)
        return await giveUp(needs.db, delivery.id)
      if (webhook.verified_at === null) return await hold(needs.db, delivery, now)
      if (webhook.paused_until && webhook.paused_until > now)
        return { againAt: shares.turnOf(webhook.id, webhook.paused_until) }
      const done = shares.take({ one: webhook.id, organization: owner })
      if (!done) return { againAt: shares.turnOf(webhook.id, now) }
      try {
        const data = await dataToSend(needs.db, { delivery, webhook, organization: owner })
        if (data === undefined) return await forgetDelivery(needs.db, delivery.id).then(() => undefined)
        const envelope = envelopeOf({ ...delivery, data }, organization.identityId)
        return await attempt(needs, work, { delivery, webhook, organization: organization.id, envelope })
      } finally {
        done()
      }
    },
  })
}

/** Of a message its id is kept: it is sent as it is now. Undefined where it is gone, or the bot of the webhook. */
async function dataToSend(
  db: Db,
  { delivery: { event, data }, webhook, organization }: Omit<Outgoing, 'envelope'>,
): Promise<unknown> {
  if (webhook.bot_id === null || !botEventNames.includes(event)) return data
  const bot = trusted.userId(webhook.bot_id)
  if (!(await findActiveMembership(db, organization, bot))) return undefined
  if (event !== 'message.created' && event !== 'message.updated') return data
  const { message_id: message } = data as { message_id: number }
  return await messageAsTold(db, organization, { message, reader: bot, event })
}

/** The receiver has not agreed: the event waits for it (`agree` brings it forward), and is forgotten after a day. */
async function hold(db: Db, { id, queued_at }: DeliveryRow, now: Date): Promise<Again | undefined> {
  const keptUntil = secondsAfter(queued_at, TRIED_SECONDS)
  if (keptUntil <= now) {
    await forgetDelivery(db, id)
    return undefined
  }
  // an agreement that comes while this item is held brings it forward no more
  const nextLook = secondsAfter(now, pauseByAge(RETRY, queued_at, now))
  return { againAt: nextLook < keptUntil ? nextLook : keptUntil }
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
  const { delivery, webhook, organization, envelope } = outgoing
  const letter = { webhook, organization, id: delivery.event_id, body: envelope }
  const answer = await send(needs, work.log, letter)
  const status = answer?.status
  const verdict = verdictOf(status)
  const now = clock.now()
  if (verdict === 'taken') {
    await noteAttempt(db, delivery.id, { state: 'delivered', status: status ?? null })
    await noteSuccess(db, webhook.id)
    return undefined
  }
  /** A pause of ours, or the longer one that the receiver asks for. */
  const after = (seconds: number) => secondsAfter(now, Math.max(seconds, askedSeconds(answer)))
  const pausedUntil = verdict === 'trouble' ? after(pauseSeconds(RETRY, webhook.failures + 1)) : null
  const failingSince = await noteFailure(db, webhook, now, pausedUntil)
  const isGone = verdict === 'gone' && failingSince !== undefined
  const isOver = isGone || delivery.queued_at <= secondsAfter(now, -TRIED_SECONDS)
  await noteAttempt(db, delivery.id, { state: isOver ? 'failed' : 'pending', status: status ?? null })
  if (isGone || (failingSince && failingSince <= secondsAfter(now, -TRIED_SECONDS)))
    await switchOffAndTell(needs, outgoing, verdict, now)
  if (isOver) return undefined
  return { againAt: pausedUntil ?? after(pauseSeconds(RETRY, delivery.attempts + 1)) }
}

function askedSeconds(answer: PostAnswer | undefined): number {
  return Math.min((answer?.retryAfterMs ?? 0) / 1_000, RETRY_AFTER_MAX_SECONDS)
}

function envelopeOf({ event_id, event, time, data }: DeliveryRow, organizationId: string): string {
  return bodyOf({ id: event_id, type: event, timestamp: time, organizationId, data })
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
      await decidedLanguage(tx, organization),
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
