import { isDeepStrictEqual } from 'node:util'
import type { Input, Reply } from '@atrium/contract'
import { recordAudit } from '../../access/audit/audit-trail.ts'
import type { CallerOf } from '../../access/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Tx } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { parseRoomId } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import { announceRoom } from './announce.ts'
import { isMoreMetadata, requireMetadataBelowMost } from './metadata-sum.ts'
import { requireRoom } from './reads.ts'
import { type RoomViewNeeds, readRoomView } from './room-view.ts'
import { deskStays, noSuchRoom, requireMetadata, requireRoomName } from './rules.ts'
import { requireUnused } from './sealed/live-tokens.ts'
import { changeRoom, isNameTaken, lockRoom, type Room } from './store.ts'

/** What the organization says of a room. */
const DESCRIBED = ['name', 'metadata', 'kind', 'seats', 'position', 'sealed', 'agentDispatch'] as const
type Described = Pick<Room, (typeof DESCRIBED)[number]>

interface Needs extends RoomViewNeeds {
  clock: Clock
}

/** Changes what the organization says of a room. Where nothing changes, nothing is written down. */
export async function updateRoom(
  needs: Needs,
  caller: CallerOf<'updateRoom'>,
  input: Input<'updateRoom'>,
): Promise<Reply<'updateRoom'>> {
  const wanted = {
    ...(input.name === undefined ? {} : { name: requireRoomName(input.name) }),
    ...(input.metadata === undefined ? {} : { metadata: requireMetadata(input.metadata) }),
    ...(input.kind === undefined ? {} : { kind: input.kind }),
    ...(input.seats === undefined ? {} : { seats: input.seats }),
    ...(input.position === undefined ? {} : { position: input.position }),
    ...(input.sealed === undefined ? {} : { sealed: input.sealed }),
    ...(input.agentDispatch === undefined ? {} : { agentDispatch: input.agentDispatch }),
  }
  const viewer = caller.user.id
  const { owner } = await requireRoom(needs.db, caller.organization.id, input.roomId, viewer)
  if (owner !== null && (input.name ?? input.kind) !== undefined) throw deskStays()
  const room = await transaction(needs.db, async (tx) => {
    const changed = await change(tx, needs, caller, input.roomId, wanted)
    const about = { roomId: changed.id, viewer }
    return await readRoomView({ ...needs, db: tx }, changed.organization, about)
  }).catch((error: unknown) => {
    throw isNameTaken(error) ? Refusal.of('room-exists') : error
  })
  return { status: 200, body: { room } }
}

async function change(
  tx: Tx,
  needs: Pick<Needs, 'clock'>,
  caller: CallerOf<'updateRoom'>,
  roomId: string,
  wanted: Partial<Described>,
): Promise<Room> {
  const { id: organization } = caller.organization
  const id = parseRoomId(roomId)
  const now = needs.clock.now()
  const before = id && (await lockRoom(tx, organization, id))
  if (!before) throw noSuchRoom()
  const room = { ...before, ...wanted }
  if (isDeepStrictEqual(room, before)) return before
  if (room.sealed !== before.sealed) await requireUnused(tx, { organization, room: before.id }, now)
  await changeRoom(tx, room)
  const data = { roomId: room.id, ...changed(before, room) }
  await announceRoom(tx, caller, { type: 'room.updated', data }, now)
  await recordAudit(tx, organization, caller, now, {
    action: 'room.updated',
    target: { kind: 'room', id: room.id },
    detail: toldOfChange(before, room),
  })
  if (isMoreMetadata(room.metadata, before.metadata)) await requireMetadataBelowMost(tx, organization)
  return room
}

/** For the trail: what is different, by its name, and of metadata that it is, for it may say anything. */
function toldOfChange(before: Room, after: Room): Record<string, string | number | null> {
  const { metadata, sealed, ...plain } = changed(before, after)
  return {
    name: after.name,
    ...(after.name !== before.name && { formerName: before.name }),
    ...plain,
    ...(sealed !== undefined && { sealed: String(sealed) }),
    ...(metadata !== undefined && { metadata: 'changed' }),
  }
}

function changed(before: Room, after: Room): Partial<Described> {
  const different = DESCRIBED.filter((field) => !isDeepStrictEqual(before[field], after[field]))
  return Object.fromEntries(different.map((field) => [field, after[field]]))
}
