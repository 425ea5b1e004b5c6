import type { Reply } from '@atrium/contract'
import { listBearerTokens } from '../../access/bearers/bearer-token-store.ts'
import { findMember, listBotMembers, type MemberRecord } from '../../directory/members/members.ts'
import type { Db } from '../../platform/database/database.ts'
import { type OrganizationId, parseUserId } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'

type Bot = Reply<'listBots'>['body']['bots'][number]

/** A bot of an organization by the id that a request names. @throws Refusal not-found */
export async function requireBot(db: Db, organization: OrganizationId, botId: string): Promise<MemberRecord> {
  const id = parseUserId(botId)
  const member = id && (await findMember(db, organization, id))
  if (!member?.isBot) throw Refusal.of('bot-not-found')
  return member
}

/** The bots of an organization as its admins see them, newest first. One that came by an archive has no token. */
export async function listBotsOf(db: Db, organization: OrganizationId): Promise<Bot[]> {
  const tokens = new Map((await listBearerTokens(db, organization, 'bot')).map((token) => [token.bot, token]))
  return (await listBotMembers(db, organization)).map(({ id, name, createdAt }) => {
    const token = tokens.get(id)
    return {
      botId: id,
      name,
      createdBy: token?.createdBy ?? '',
      createdAt: createdAt.toISOString(),
      lastUsedAt: token?.lastUsedAt?.toISOString() ?? null,
    }
  })
}
