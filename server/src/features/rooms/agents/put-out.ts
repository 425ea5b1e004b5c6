import { botOfWorkers } from '../../../directory/members/members.ts'
import { workQueue } from '../../../platform/background/work-payload.ts'
import type { WorkQueue } from '../../../platform/background/work-queue.ts'
import type { Db } from '../../../platform/database/database.ts'
import { type OrganizationId, parseConnectionUser, type RoomId, trusted } from '../../../platform/ids.ts'
import { Type } from '../../../platform/schema.ts'
import type { MediaParticipant, MediaPort } from '../../../ports/media.ts'
import { connectionsOfBots } from '../../media-events/reads.ts'
import { readRoom } from '../store.ts'
import { mayAgentBeInside } from './agent-entry.ts'

interface Needs {
  db: Db
  media: Pick<MediaPort, 'participants' | 'remove' | 'dismissWorkers'>
}

const AGENTS_QUEUE = 'room-agents'

/**
 * Puts programs out of the rooms of an organization that wants none any more, or that are no bots of it any more. The
 * triggers of `look_at_agents` enqueue, and so no way there can be forgotten.
 */
export function agentQueue(needs: Needs): WorkQueue {
  return workQueue({
    name: AGENTS_QUEUE,
    lanes: { default: 2 },
    retry: { firstSeconds: 2, lastSeconds: 20 },
    payload: Type.Object({ organization: Type.String() }),
    handle: ({ payload }) => putOutAgents(needs, trusted.organizationId(payload.organization)),
  })
}

async function putOutAgents({ db, media }: Needs, organization: OrganizationId): Promise<void> {
  const inside = await connectionsOfBots(db, organization)
  for (const room of new Set(inside.map((connection) => connection.room)))
    for (const participant of await media.participants(room)) {
      if (participant.kind !== 'agent' || (await mayStay(db, organization, room, participant))) continue
      if (participant.worker) await media.dismissWorkers(room, participant.worker)
      await media.remove(room, participant.identity)
    }
}

async function mayStay(
  db: Db,
  organization: OrganizationId,
  room: RoomId,
  { identity, worker }: MediaParticipant,
): Promise<boolean> {
  const bot = worker ? await botOfWorkers(db, organization, worker) : parseConnectionUser(identity)
  const found = bot && (await readRoom(db, organization, room))
  return found ? await mayAgentBeInside(db, organization, { bot, room: found }) : false
}
