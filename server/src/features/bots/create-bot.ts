import type { Input, Reply } from '@atrium/contract'
import { recordAudit } from '../../access/audit/audit-trail.ts'
import { newBearerToken } from '../../access/bearers/bearer-token.ts'
import { insertBearerToken } from '../../access/bearers/bearer-token-store.ts'
import type { OrganizationLimits } from '../../access/budgets/organization-limits.ts'
import type { CallerOf } from '../../access/caller.ts'
import { requireName } from '../../directory/display-name.ts'
import { countBots, lockMembers, setAgentName } from '../../directory/members/members.ts'
import { addMembership } from '../../directory/members/memberships.ts'
import { insertBot } from '../../directory/users.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { newIdentityId, trusted } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import { hashToken } from '../../platform/secrets/secret.ts'
import { AGENT_NAME, BOT_NAME } from './rules.ts'

interface Needs {
  db: Db
  clock: Clock
  limits: Pick<OrganizationLimits, 'of'>
}

/** Makes a bot of the active organization, with its token. Only the hash of that is kept. */
export async function createBot(
  needs: Needs,
  caller: CallerOf<'createBot'>,
  input: Input<'createBot'>,
): Promise<Reply<'createBot'>> {
  const now = needs.clock.now()
  const organization = caller.organization.id
  const name = requireName(input.name, 'name', BOT_NAME)
  const agentName =
    input.agentName === undefined ? null : requireName(input.agentName, 'agentName', AGENT_NAME)
  const token = newBearerToken('bot')
  const most = needs.limits.of(organization, 'bots')
  const botId = await transaction(needs.db, async (tx) => {
    // two at once are counted one after the other
    await lockMembers(tx, organization)
    if ((await countBots(tx, organization)) >= most) throw tooMany(most)
    const identityId = trusted.identityUserId(newIdentityId('user', now))
    const bot = await insertBot(tx, { identityId, name }, now)
    await addMembership(tx, { organization, user: bot, role: 'member' }, now)
    if (!(await setAgentName(tx, organization, bot, agentName))) throw Refusal.of('agent-name-taken')
    const made = { organization, kind: 'bot', bot, name, operations: [], expiresAt: null } as const
    await insertBearerToken(tx, { ...made, tokenHash: hashToken(token), createdBy: caller.user.id }, now)
    await recordAudit(tx, organization, caller, now, {
      action: 'bot.created',
      target: { kind: 'bot', id: bot },
      detail: { name, ...(agentName !== null && { agentName }) },
    })
    return bot
  })
  return { status: 201, body: { botId, token } }
}

function tooMany(most: number): Refusal {
  const message = `This organization has at most ${most} bots; delete one first`
  return Refusal.of('too-many-bots', { message })
}
