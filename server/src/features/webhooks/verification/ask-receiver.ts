import { randomUUID } from 'node:crypto'
import { OPERATOR, recordAudit } from '../../../access/audit/audit-trail.ts'
import type { Budgets } from '../../../access/budgets/budgets.ts'
import type { MemberCaller } from '../../../access/caller.ts'
import { findOrganizationById } from '../../../directory/organizations.ts'
import { enqueue } from '../../../platform/background/work-items.ts'
import { workQueue } from '../../../platform/background/work-payload.ts'
import type { Work, WorkQueue } from '../../../platform/background/work-queue.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Db, Tx } from '../../../platform/database/database.ts'
import { transaction } from '../../../platform/database/transaction.ts'
import { trusted } from '../../../platform/ids.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { Type } from '../../../platform/schema.ts'
import type { KeyRing } from '../../../platform/secrets/sealed-column.ts'
import { bodyOf, type SendingNeeds, send } from '../post.ts'
import { RETRY, verdictOf } from '../rules.ts'
import { findWebhook, type WebhookRow } from '../webhook-store.ts'
import { agree, challengeOf, giveChallenge, hasChallenge } from './challenges.ts'

const TEST_QUEUE = 'webhook-tests'
const TEST_EVENT = 'webhook.test'
/** A receiver that does not answer holds one of them for ten seconds. */
const LANES = 4
/** So much of an answer is looked through for the challenge. */
const ANSWER_BYTES = 16 * 1024

export interface AskingNeeds {
  db: Db
  clock: Clock
  webhookRing: KeyRing
  budgets: Pick<Budgets, 'drawWebhookTest'>
}

/** Sends the receiver a test with another challenge, once the transaction ends. */
export async function sendTest(tx: Tx, ring: KeyRing, webhook: WebhookRow, now: Date): Promise<void> {
  await giveChallenge(tx, ring, webhook, now)
  const organization = trusted.organizationId(webhook.organization_id)
  const payload = { webhook: webhook.id }
  await enqueue(tx, { queue: TEST_QUEUE, organization, key: webhook.id, payload, now })
}

/**
 * Draws the test of a receiver at a new address, before the change that needs it. Where the network has used its tests up the
 * webhook is made or changed all the same, and an admin has its receiver asked later.
 * @returns whether it may be asked now
 */
export async function mayAskReceiver(
  { budgets }: Pick<AskingNeeds, 'budgets'>,
  caller: MemberCaller,
  url: string,
): Promise<boolean> {
  try {
    await budgets.drawWebhookTest(caller, caller.organization.id, url, 'first')
    return true
  } catch (error) {
    if (error instanceof Refusal && error.kind === 'too-many') return false
    throw error
  }
}

/**
 * Asks receivers whether they agree: once for each test, even after an error. A 2xx answer that carries the challenge
 * agrees.
 */
export function webhookTestQueue(needs: SendingNeeds & { db: Db }): WorkQueue {
  return workQueue({
    name: TEST_QUEUE,
    lanes: { default: LANES },
    retry: RETRY,
    payload: Type.Object({ webhook: Type.String() }),
    async handle(work) {
      const { db, clock, webhookRing } = needs
      const webhook =
        work.organization && (await findWebhook(db, work.organization, trusted.rowId(work.payload.webhook)))
      if (!webhook || !hasChallenge(webhook, clock.now())) return
      const challenge = challengeOf(webhookRing, webhook, clock.now())
      // tried again, by a node that has the key
      if (!challenge) throw new Error('no key opens the challenge of a webhook (npx atrium keys status)')
      if (!(await carriesBack(needs, work, webhook, challenge))) return
      const now = clock.now()
      await transaction(db, async (tx) => {
        if (!(await agree(tx, webhook, now))) return
        const { id, organization_id, url } = webhook
        await recordAudit(tx, trusted.organizationId(organization_id), OPERATOR, now, {
          action: 'webhook.verified',
          target: { kind: 'webhook', id },
          detail: { host: new URL(url).host, by: 'receiver' },
        })
      })
    },
  })
}

async function carriesBack(
  needs: SendingNeeds & { db: Db },
  { log }: Work,
  webhook: WebhookRow,
  challenge: string,
): Promise<boolean> {
  const organization = await findOrganizationById(needs.db, trusted.organizationId(webhook.organization_id))
  if (!organization) return false
  const id = randomUUID()
  const timestamp = needs.clock.now().toISOString()
  const event = {
    id,
    type: TEST_EVENT,
    timestamp,
    organizationId: organization.identityId,
    data: { challenge },
  }
  const letter = { webhook, organization: organization.id, id, body: bodyOf(event) }
  const answer = await send(needs, log, letter, ANSWER_BYTES)
  return answer !== undefined && verdictOf(answer.status) === 'taken' && answer.text.includes(challenge)
}
