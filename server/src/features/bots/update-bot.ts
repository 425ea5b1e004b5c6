import type { Input, Reply } from '@atrium/contract'
import { recordAudit } from '../../access/audit/audit-trail.ts'
import type { CallerOf } from '../../access/caller.ts'
import { requireName } from '../../directory/display-name.ts'
import { lockMembers, setAgentName } from '../../directory/members/members.ts'
import { requireBot } from '../../directory/members/require-member.ts'
import { renameUser } from '../../directory/users.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import type { OrganizationId, UserId } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import { listBotsOf } from './reads.ts'
import { AGENT_NAME, BOT_NAME } from './rules.ts'

interface Needs {
  db: Db
  clock: Clock
}

/** Gives a bot of the active organization another name, or other workers. */
export async function updateBot(
  needs: Needs,
  caller: CallerOf<'updateBot'>,
  input: Input<'updateBot'>,
): Promise<Reply<'updateBot'>> {
  const now = needs.clock.now()
  const organization = caller.organization.id
  const name = input.name === undefined ? undefined : requireName(input.name, 'name', BOT_NAME)
  const agentName = input.agentName && requireName(input.agentName, 'agentName', AGENT_NAME)
  const bot = await transaction(needs.db, async (tx) => {
    await lockMembers(tx, organization)
    const { id } = await requireBot(tx, organization, input.botId)
    const before = await one(tx, organization, id)
    const target = { kind: 'bot', id } as const
    const isRenamed = name !== undefined && name !== before.name
    if (isRenamed) await renameUser(tx, id, name, now)
    const hasOthers = agentName !== undefined && agentName !== before.agentName
    if (hasOthers && !(await setAgentName(tx, organization, id, agentName)))
      throw Refusal.of('agent-name-taken')
    if (isRenamed) {
      const detail = { from: before.name, to: name }
      await recordAudit(tx, organization, caller, now, { action: 'bot.renamed', target, detail })
    }
    if (hasOthers) {
      const detail = { from: before.agentName, to: agentName }
      await recordAudit(tx, organization, caller, now, { action: 'bot.worker-changed', target, detail })
    }
    return await one(tx, organization, id)
  })
  return { status: 200, body: { bot } }
}

async function one(tx: Tx, organization: OrganizationId, id: UserId) {
  const bot = (await listBotsOf(tx, organization)).find(({ botId }) => botId === id)
  if (!bot) throw Refusal.of('bot-not-found')
  return bot
}
