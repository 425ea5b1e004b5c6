import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { parseUserId, type UserId } from '../../platform/ids.ts'
import { invalidInput } from '../../platform/refusal.ts'
import { findRoom, noSuchRoom } from '../rooms/reads.ts'
import { accessDaysOf, mayHoldRecordings } from './recording-access.ts'
import { accessSince, viewOfRecording } from './recording-view.ts'
import { listOwnRecordings } from './store.ts'

interface Needs {
  db: Db
  clock: Clock
  recordingAccessDays: number
}

/** Recordings of the active organization that can still be seen, newest first. */
export async function listRecordings(
  needs: Needs,
  caller: CallerOf<'listRecordings'>,
  input: Input<'listRecordings'>,
): Promise<Reply<'listRecordings'>> {
  const { roomName, zoneId, state, userId, limit = 20, offset = 0 } = input
  const { id: organization } = caller.organization
  const room = roomName === undefined ? undefined : await findRoom(needs.db, organization, roomName)
  if (roomName !== undefined && !room) throw noSuchRoom()
  const accessDays = await accessDaysOf(needs, organization)
  const mayHold = mayHoldRecordings(caller)
  const filter = {
    ...(room ? { room: room.id } : {}),
    ...(zoneId === undefined ? {} : { zoneId }),
    ...(state === undefined ? {} : { state }),
    ...(userId === undefined ? {} : { user: requireUser(userId) }),
    endedSince: accessSince(needs.clock.now(), accessDays),
    orHeld: mayHold,
  }
  const { recordings, total } = await listOwnRecordings(needs.db, organization, filter, { limit, offset })
  return {
    status: 200,
    body: {
      data: recordings.map((recording) => viewOfRecording(recording, { accessDays, mayHold })),
      page: { limit, offset, total },
    },
  }
}

function requireUser(userId: string): UserId {
  const user = parseUserId(userId)
  if (!user) throw invalidInput([{ field: 'userId', message: 'Give the id of a member' }])
  return user
}
