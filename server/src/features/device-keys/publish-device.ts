import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import { holdSession } from '../../access/sessions/session-store.ts'
import { requireName } from '../../directory/display-name.ts'
import { lockUser } from '../../directory/users.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { Refusal } from '../../platform/refusal.ts'
import { requireSealingKey } from '../../platform/secrets/sealing-key.ts'
import { dropOldDevices, saveDevice } from './store.ts'

interface Needs {
  db: Db
  clock: Clock
}

const NAME_LENGTHS = { min: 1, max: 100 }
/** Browsers that keep nothing publish a new one each time. */
const DEVICES_MAX = 20

/** Publishes the public key of the caller's device. A device keeps its key: another one is another device. */
export async function publishDevice(
  { db, clock }: Needs,
  { user, session }: CallerOf<'publishDevice'>,
  { deviceId: id, publicKey, name }: Input<'publishDevice'>,
): Promise<Reply<'publishDevice'>> {
  const called = requireName(name, 'name', NAME_LENGTHS)
  const device = { id, publicKey: requireSealingKey(publicKey), name: called }
  await transaction(db, async (tx) => {
    // several at once are counted one after the other, and a person who is deleted meanwhile publishes nothing more
    await lockUser(tx, user.id)
    if (!(await holdSession(tx, session.id))) throw Refusal.of('unauthenticated')
    if (!(await saveDevice(tx, user.id, device, clock.now()))) throw Refusal.of('device-taken')
    await dropOldDevices(tx, user.id, DEVICES_MAX)
  })
  return { status: 204 }
}
