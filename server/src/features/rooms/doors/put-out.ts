import { agentNameOf } from '../../../directory/members/members.ts'
import { enqueue } from '../../../platform/background/work-items.ts'
import { workQueue } from '../../../platform/background/work-payload.ts'
import type { WorkQueue } from '../../../platform/background/work-queue.ts'
import { secondsAfter } from '../../../platform/clock.ts'
import type { Db, Tx } from '../../../platform/database/database.ts'
import { trusted } from '../../../platform/ids.ts'
import type { Log } from '../../../platform/log.ts'
import { Type } from '../../../platform/schema.ts'
import type { MediaPort } from '../../../ports/media.ts'
import { connectionsTo } from '../connections.ts'
import { type AtDoor, noteRemoved, readDoor } from './door-store.ts'

export interface PutOutNeeds {
  db: Db
  media: Pick<MediaPort, 'participants' | 'remove' | 'dismissWorkers'>
}

export const REMOVALS_QUEUE = 'room-removals'
const REMOVED_SECONDS = 60

/** Keeps a person or a bot out of a room for a minute, and older tokens of theirs for good. `putOutNow` follows. */
export async function keepOut(tx: Tx, at: AtDoor, now: Date): Promise<void> {
  await noteRemoved(tx, at, secondsAfter(now, REMOVED_SECONDS), now)
  const { organization, room, user } = at
  await enqueue(tx, {
    queue: REMOVALS_QUEUE,
    key: `${room} ${user}`,
    payload: { organization, room, user },
    now,
  })
}

/** Puts out what a removal has decided, once it is committed; what the media server is not told now is told it later. */
export async function putOutNow(
  { log, ...needs }: PutOutNeeds & { log: Pick<Log, 'warn'> },
  { requestId }: { requestId: string },
  at: AtDoor,
): Promise<void> {
  try {
    await putOut(needs, at)
  } catch (error) {
    log.warn({ err: error, requestId }, 'a removal from a room is carried out later')
  }
}

/** Puts those out who were removed from a room, until the media server has done so. */
export function removalQueue(needs: PutOutNeeds): WorkQueue {
  return workQueue({
    name: REMOVALS_QUEUE,
    lanes: { default: 2 },
    retry: { firstSeconds: 2, lastSeconds: 20 },
    payload: Type.Object({ organization: Type.String(), room: Type.String(), user: Type.String() }),
    handle: ({ payload: { organization, room, user } }) =>
      putOut(needs, {
        organization: trusted.organizationId(organization),
        room: trusted.roomId(room),
        user: trusted.userId(user),
      }),
  })
}

/** May be repeated. @throws ProviderFailure: to be tried again */
async function putOut({ db, media }: PutOutNeeds, at: AtDoor): Promise<void> {
  // one who has a new token since may be inside again
  if (!(await readDoor(db, at))?.removedUntil) return
  const agentName = await agentNameOf(db, at.organization, at.user)
  // no other worker comes in its place
  if (agentName !== null) await media.dismissWorkers(at.room, agentName)
  for (const { identity } of await connectionsTo({ db, media }, at)) await media.remove(at.room, identity)
}
