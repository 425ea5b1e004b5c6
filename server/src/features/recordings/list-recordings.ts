import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { parseUserId } from '../../platform/ids.ts'
import { findRoomEver, noSuchRoom } from '../rooms/reads.ts'
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
  const room = roomName === undefined ? undefined : await findRoomEver(needs.db, organization, roomName)
  if (roomName !== undefined && !room) throw noSuchRoom()
  const user = userId === undefined ? undefined : parseUserId(userId)
  // no member has such an id
  if (userId !== undefined && !user)
    return { status: 200, body: { data: [], page: { limit, offset, total: 0 } } }
  const accessDays = await accessDaysOf(needs, organization)
  const mayHold = mayHoldRecordings(caller)
  const filter = {
    ...(room ? { room } : {}),
    ...(zoneId === undefined ? {} : { zoneId }),
    ...(state === undefined ? {} : { state }),
    ...(user === undefined ? {} : { user }),
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
