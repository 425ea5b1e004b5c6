import { randomUUID } from 'node:crypto'
import type { Input, Reply } from '@atrium/contract'
import { recordAudit } from '../../access/audit/audit-trail.ts'
import type { OrganizationLimits } from '../../access/budgets/organization-limits.ts'
import type { CallerOf } from '../../access/caller.ts'
import { requirePermission } from '../../access/permissions.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { trusted } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import { announceRoom } from './announce.ts'
import { isMoreMetadata, requireMetadataBelowMost } from './metadata-sum.ts'
import { requireMetadata, requireRoomName, seatsOfMetadata, tooManyRooms } from './rules.ts'
import { countRooms, insertRoom, lastPosition } from './store.ts'

interface Needs {
  db: Db
  clock: Clock
  limits: Pick<OrganizationLimits, 'of'>
}

/** Makes a room. It comes to life at the media server with the first request for a token to it. */
export async function createRoom(
  needs: Needs,
  caller: CallerOf<'createRoom'>,
  input: Input<'createRoom'>,
): Promise<Reply<'createRoom'>> {
  const name = requireRoomName(input.name)
  const metadata = requireMetadata(input.metadata ?? {})
  const { organization } = caller
  if ((input.position !== undefined || input.sealed) && 'user' in caller)
    requirePermission(caller.organization.role, 'EditRoom')
  const described = {
    name,
    metadata,
    kind: input.kind ?? 'meeting',
    seats: input.seats ?? seatsOfMetadata(metadata),
    sealed: input.sealed ?? false,
  } as const
  const position = input.position ?? (await lastPosition(needs.db, organization.id))
  const room = { ...described, id: trusted.roomId(randomUUID()), organization: organization.id, position }
  const shown = { ...described, position, locked: false, temporary: false, ownerId: null }
  const now = needs.clock.now()
  const most = needs.limits.of(room.organization, 'rooms')
  await transaction(needs.db, async (tx) => {
    const createdBy = 'user' in caller ? caller.user.id : null
    if (!(await insertRoom(tx, room, createdBy, now))) throw Refusal.of('room-exists')
    const data = { roomId: room.id, ...shown, createdAt: now.toISOString() }
    await announceRoom(tx, caller, { type: 'room.created', data }, now)
    await recordAudit(tx, room.organization, caller, now, {
      action: 'room.created',
      target: { kind: 'room', id: room.id },
      detail: { name },
    })
    // the audit trail lets one after the other come here: two at once are counted
    if ((await countRooms(tx, room.organization)) > most) throw tooManyRooms(most)
    if (isMoreMetadata(metadata)) await requireMetadataBelowMost(tx, room.organization)
  })
  return { status: 200, body: { room: { id: room.id, ...shown } } }
}
