import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import type { Db } from '../../platform/database/database.ts'
import { deleteDevice } from './store.ts'

interface Needs {
  db: Db
}

/** Withdraws the public key of one of the caller's devices. Those of others stay, and the answer does not tell. */
export async function endDevice(
  { db }: Needs,
  { user }: CallerOf<'endDevice'>,
  { deviceId }: Input<'endDevice'>,
): Promise<Reply<'endDevice'>> {
  await deleteDevice(db, user.id, deviceId)
  return { status: 204 }
}
