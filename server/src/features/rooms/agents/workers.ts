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

/** What the media server is to be asked for; undefined where the bot has no workers, or is inside. Read before anything is changed. */
export async function workerToAsk(
  db: Db,
  { organization, room, bot }: BotAtRoom,
): Promise<AskedWorkers | undefined> {
  const agentName = await agentNameOf(db, organization, bot)
  if (agentName === null || (await botsInside(db, organization, room)).includes(bot)) return undefined
  return { agentName, metadata: JSON.stringify({ botId: bot }) }
}

/** @throws ProviderFailure */
export async function askForWorker(media: AskingPort, room: RoomId, wanted: AskedWorkers): Promise<void> {
  // an empty one is closed after a while
  await media.openRoom(room)
  await media.askWorker(room, wanted)
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
