import type { AuditAction } from '@atrium/contract'
import { recordAudit } from '../../access/audit/audit-trail.ts'
import type { CallerOf } from '../../access/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { parseInternalId } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import { lockWebhook, type WebhookRow } from './webhook-store.ts'

/**
 * Changes a webhook of the active organization under a lock, and says so in the audit trail.
 * @param work answers the detail of the audit entry beside what the caller wants to know
 * @throws Refusal webhook-not-found
 */
export async function onWebhook<Answer>(
  { db, clock }: { db: Db; clock: Clock },
  caller: CallerOf<'updateWebhook'>,
  text: string,
  action: AuditAction,
  work: (
    tx: Tx,
    webhook: WebhookRow,
    now: Date,
  ) => Promise<{ answer: Answer; detail: Record<string, string | number | null> }>,
): Promise<Answer> {
  const organization = caller.organization.id
  const id = parseInternalId(text)
  if (id === undefined) throw Refusal.of('webhook-not-found')
  const now = clock.now()
  return await transaction(db, async (tx) => {
    const webhook = await lockWebhook(tx, organization, id)
    if (!webhook) throw Refusal.of('webhook-not-found')
    const { answer, detail } = await work(tx, webhook, now)
    await recordAudit(tx, organization, caller, now, { action, target: { kind: 'webhook', id }, detail })
    return answer
  })
}
