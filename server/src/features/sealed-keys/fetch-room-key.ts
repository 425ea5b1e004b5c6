import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import type { Db } from '../../platform/database/database.ts'
import { ownersOfDevices } from '../device-keys/reads.ts'
import { requireRoomFor } from '../rooms/reads.ts'
import { readOwnBox } from './store.ts'

interface Needs {
  db: Db
}

/** What was sealed to a device of the caller; of a device of another person nothing. */
export async function fetchRoomKey(
  { db }: Needs,
  { organization: { id: organization }, user }: CallerOf<'fetchRoomKey'>,
  { roomId, deviceId }: Input<'fetchRoomKey'>,
): Promise<Reply<'fetchRoomKey'>> {
  const { id: room } = await requireRoomFor(db, organization, { roomId, person: user.id })
  const { epoch, box } = await readOwnBox(db, { organization, room }, { device: deviceId })
  const isOwn = (await ownersOfDevices(db, [deviceId])).get(deviceId) === user.id
  return { status: 200, body: { epoch, box: isOwn ? box : null } }
}
