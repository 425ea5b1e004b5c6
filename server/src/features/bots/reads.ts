import type { Reply } from '@atrium/contract'
import { listBearerTokens } from '../../access/bearers/bearer-token-store.ts'
import { listBotMembers } from '../../directory/members/members.ts'
import type { Db } from '../../platform/database/database.ts'
import type { OrganizationId } from '../../platform/ids.ts'

type Bot = Reply<'listBots'>['body']['bots'][number]

/** The bots of an organization as its admins see them, newest first. One that came by an archive has no token. */
export async function listBotsOf(db: Db, organization: OrganizationId): Promise<Bot[]> {
  const tokens = new Map((await listBearerTokens(db, organization, 'bot')).map((token) => [token.bot, token]))
  return (await listBotMembers(db, organization)).map(({ id, name, agentName, createdAt }) => {
    const token = tokens.get(id)
    return {
      botId: id,
      name,
      agentName,
      createdBy: token?.createdBy ?? '',
      createdAt: createdAt.toISOString(),
      lastUsedAt: token?.lastUsedAt?.toISOString() ?? null,
    }
  })
}
