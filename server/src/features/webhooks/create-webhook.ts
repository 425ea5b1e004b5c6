import type { Input, Reply } from '@atrium/contract'
import { recordAudit } from '../../access/audit/audit-trail.ts'
import type { OrganizationLimits } from '../../access/budgets/organization-limits.ts'
import type { CallerOf } from '../../access/caller.ts'
import { lockMembers } from '../../directory/members/members.ts'
import { requireBot } from '../../directory/members/require-member.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { Refusal } from '../../platform/refusal.ts'
import { distinctEvents, requireUrl } from './rules.ts'
import { newWebhookSecret, sealSecret } from './secrets.ts'
import { type AskingNeeds, mayAskReceiver, sendTest } from './verification/ask-receiver.ts'
import { countWebhooks, insertWebhook } from './webhook-store.ts'

interface Needs extends AskingNeeds {
  limits: Pick<OrganizationLimits, 'of'>
  webhooksPublicOnly: boolean
}

/** Has events of the active organization sent to an address, once its receiver agrees. Earlier events are not sent. */
export async function createWebhook(
  needs: Needs,
  caller: CallerOf<'createWebhook'>,
  input: Input<'createWebhook'>,
): Promise<Reply<'createWebhook'>> {
  const organization = caller.organization.id
  const url = requireUrl(input.url, needs.webhooksPublicOnly)
  const events = distinctEvents(input.events, input.botId !== undefined)
  const secret = newWebhookSecret()
  const sealedSecret = sealSecret(needs.webhookRing, secret, organization)
  const now = needs.clock.now()
  const most = needs.limits.of(organization, 'webhooks')
  const mayAsk = await mayAskReceiver(needs, caller, url)
  const id = await transaction(needs.db, async (tx) => {
    // two at once are counted one after the other
    await lockMembers(tx, organization)
    if ((await countWebhooks(tx, organization)) >= most) throw tooMany(most)
    const bot = input.botId === undefined ? null : (await requireBot(tx, organization, input.botId)).id
    const webhook = { organization, url, events, bot, sealedSecret, createdBy: caller.user.id }
    const made = await insertWebhook(tx, webhook, now)
    if (mayAsk) await sendTest(tx, needs.webhookRing, made, now)
    await recordAudit(tx, organization, caller, now, {
      action: 'webhook.created',
      target: { kind: 'webhook', id: made.id },
      detail: { host: new URL(url).host, events: events.join(' ') },
    })
    return made.id
  })
  return { status: 201, body: { id, secret } }
}

function tooMany(most: number): Refusal {
  const message = `This organization has at most ${most} webhooks; delete one first`
  return Refusal.of('too-many-webhooks', { message })
}
