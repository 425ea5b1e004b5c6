import { randomUUID } from 'node:crypto'
import { DISPATCH_SECONDS } from '@atrium/contract'
import { listBotMembers, type MemberRecord } from '../../../directory/members/members.ts'
import { nameOrganization } from '../../../directory/organizations.ts'
import { appendEvent } from '../../../platform/background/outbox.ts'
import { type Clock, secondsAfter } from '../../../platform/clock.ts'
import type { Db, Tx } from '../../../platform/database/database.ts'
import { transaction } from '../../../platform/database/transaction.ts'
import type { IdentityOrganizationId, OrganizationId, RoomId, UserId } from '../../../platform/ids.ts'
import type { MediaPort } from '../../../ports/media.ts'
import { botsInside } from '../../media-events/reads.ts'
import { noteDispatched } from '../doors/door-store.ts'
import { readRoom } from '../store.ts'
import { admitsAgents } from './agent-entry.ts'
import { askForWorker, workerToAsk } from './workers.ts'

interface Place {
  organization: { id: OrganizationId; identityId: IdentityOrganizationId }
  room: RoomId
}

/** Asks a bot into a room, unless it is on its way. @param by null: the room always has the bots in */
export async function dispatch(
  tx: Tx,
  { organization, room }: Place,
  { bot, by }: { bot: Pick<MemberRecord, 'id' | 'identityId'>; by: UserId | null },
  now: Date,
): Promise<void> {
  const at = { organization: organization.id, room, user: bot.id }
  if (!(await noteDispatched(tx, at, secondsAfter(now, DISPATCH_SECONDS), now))) return
  await appendEvent(tx, organization.identityId, {
    id: randomUUID(),
    type: 'agent.dispatched',
    time: now,
    data: { roomId: room, by },
    to: { scope: 'user', users: [bot.identityId] },
    orderingKey: `room:${room}`,
  })
}

/**
 * A person has come into a room that always has the bots in: those that are not there are asked. May be repeated.
 * @throws ProviderFailure: to be tried again
 */
export async function dispatchAlways(
  { db, clock, media }: { db: Db; clock: Clock; media: Pick<MediaPort, 'openRoom' | 'askWorker'> },
  { organization, room }: { organization: OrganizationId; room: RoomId },
): Promise<void> {
  const found = await readRoom(db, organization, room)
  if (found?.agentDispatch !== 'always' || !(await admitsAgents(db, organization, found))) return
  const { identityId } = await nameOrganization(db, organization)
  const now = clock.now()
  const inside = new Set(await botsInside(db, organization, room))
  const away = (await listBotMembers(db, organization)).filter(({ id }) => !inside.has(id))
  await transaction(db, async (tx) => {
    for (const bot of away)
      await dispatch(tx, { organization: { id: organization, identityId }, room }, { bot, by: null }, now)
  })
  for (const { id: bot } of away) {
    const worker = await workerToAsk(db, { organization, room, bot })
    if (worker) await askForWorker(media, room, worker)
  }
}
