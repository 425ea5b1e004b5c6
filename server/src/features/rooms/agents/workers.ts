import { agentNameOf, botOfWorkers } from '../../../directory/members/members.ts'
import type { Db } from '../../../platform/database/database.ts'
import type { OrganizationId, RoomId, UserId } from '../../../platform/ids.ts'
import type { AskedWorkers, MediaPort } from '../../../ports/media.ts'
import { botsInside } from '../../media-events/reads.ts'

/** One bot and one room. */
interface BotAtRoom {
  organization: OrganizationId
  room: RoomId
  bot: UserId
}

type AskingPort = Pick<MediaPort, 'openRoom' | 'askWorker'>

/** Asks for a worker of a bot, where it has workers and is not inside. @throws ProviderFailure */
export async function askForWorker(
  { db, media }: { db: Db; media: AskingPort },
  { organization, room, bot }: BotAtRoom,
): Promise<void> {
  const agentName = await agentNameOf(db, organization, bot)
  if (agentName === null || (await botsInside(db, organization, room)).includes(bot)) return
  // an empty one is closed after a while
  await media.openRoom(room)
  await media.askWorker(room, { agentName, metadata: JSON.stringify({ botId: bot }) })
}

/** Does without the workers of a bot: no other one comes in the place of one that is put out. @throws ProviderFailure */
export async function dismissWorkersOf(
  { db, media }: { db: Db; media: Pick<MediaPort, 'dismissWorkers'> },
  { organization, room, bot }: BotAtRoom,
): Promise<void> {
  const agentName = await agentNameOf(db, organization, bot)
  if (agentName !== null) await media.dismissWorkers(room, agentName)
}

/**
 * The bot as which a worker has come into a room: the one that has its name, where we have asked for it. Workers hold
 * the key of the media server, and others who hold it may ask for them too.
 * @throws ProviderFailure
 */
export async function botOfWorkerIn(
  { db, media }: { db: Db; media: Pick<MediaPort, 'askedWorkers'> },
  { organization, room, worker }: Omit<BotAtRoom, 'bot'> & { worker: string },
): Promise<UserId | undefined> {
  const bot = await botOfWorkers(db, organization, worker)
  if (!bot) return undefined
  const asked = await media.askedWorkers(room)
  return asked.some((one) => one.agentName === worker && botIn(one) === bot) ? bot : undefined
}

function botIn({ metadata }: AskedWorkers): unknown {
  try {
    return (JSON.parse(metadata) as { botId?: unknown } | null)?.botId
  } catch {
    return undefined
  }
}
