import type { Input, Reply } from '@atrium/contract'
import { recordAudit } from '../../access/audit/audit-trail.ts'
import type { CallerOf } from '../../access/caller.ts'
import { requireName } from '../../directory/display-name.ts'
import { lockMembers } from '../../directory/members/members.ts'
import { requireBot } from '../../directory/members/require-member.ts'
import { renameUser } from '../../directory/users.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import type { OrganizationId, UserId } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import { listBotsOf } from './reads.ts'
import { BOT_NAME } from './rules.ts'

interface Needs {
  db: Db
  clock: Clock
}

/** Gives a bot of the active organization another name. */
export async function updateBot(
  needs: Needs,
  caller: CallerOf<'updateBot'>,
  input: Input<'updateBot'>,
): Promise<Reply<'updateBot'>> {
  const now = needs.clock.now()
  const organization = caller.organization.id
  const name = requireName(input.name, 'name', BOT_NAME)
  const bot = await transaction(needs.db, async (tx) => {
    await lockMembers(tx, organization)
    const { id, displayName } = await requireBot(tx, organization, input.botId)
    if (displayName === name) return await one(tx, organization, id)
    await renameUser(tx, id, name, now)
    await recordAudit(tx, organization, caller, now, {
      action: 'bot.renamed',
      target: { kind: 'bot', id },
      detail: { from: displayName, to: name },
    })
    return await one(tx, organization, id)
  })
  return { status: 200, body: { bot } }
}

async function one(tx: Tx, organization: OrganizationId, id: UserId) {
  const bot = (await listBotsOf(tx, organization)).find(({ botId }) => botId === id)
  if (!bot) throw Refusal.of('bot-not-found')
  return bot
}
