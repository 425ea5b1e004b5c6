import { randomUUID } from 'node:crypto'
import type { Input, Reply } from '@atrium/contract'
import { recordAudit } from '../../access/audit-trail.ts'
import type { CallerOf } from '../../access/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { trusted } from '../../platform/ids.ts'
import { invalidInput, Refusal } from '../../platform/refusal.ts'
import { faultOfMetadata, requireRoomName } from './rules.ts'
import { insertRoom } from './store.ts'

interface Needs {
  db: Db
  clock: Clock
}

/** Makes a room. It comes to life at the media server when somebody asks for a token to it. */
export async function createRoom(
  needs: Needs,
  caller: CallerOf<'createRoom'>,
  input: Input<'createRoom'>,
): Promise<Reply<'createRoom'>> {
  const { metadata = {} } = input
  const name = requireRoomName(input.name)
  refuseFault('metadata', faultOfMetadata(metadata))
  const room = { id: trusted.roomId(randomUUID()), organization: caller.organization.id, name, metadata }
  const now = needs.clock.now()
  await transaction(needs.db, async (tx) => {
    if (!(await insertRoom(tx, room, 'user' in caller ? caller.user.id : null, now))) {
      throw new Refusal('conflict', 'A room with this name already exists', { error: 'room-exists' })
    }
    await recordAudit(tx, room.organization, caller, now, {
      action: 'room.created',
      target: { kind: 'room', id: room.id },
      detail: { name },
    })
  })
  return { status: 200, body: { room: { id: room.id, name, metadata } } }
}

function refuseFault(field: string, message: string | undefined): void {
  if (message === undefined) return
  throw invalidInput([{ field, message }])
}
