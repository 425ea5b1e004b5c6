import type { Input, NotificationSettings, Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { invalidInput } from '../../platform/refusal.ts'
import { isTimeZone, TIME_ZONE_SENTENCE } from '../../platform/zoned-time.ts'
import { lockNotificationSettings, saveNotificationSettings } from './store.ts'

interface Needs {
  db: Db
  clock: Clock
}

/** Chooses when the caller is left in peace, and whether their office sounds. */
export async function updateNotificationSettings(
  { db, clock }: Needs,
  { user }: CallerOf<'updateNotificationSettings'>,
  input: Input<'updateNotificationSettings'>,
): Promise<Reply<'updateNotificationSettings'>> {
  if (input.quietHours && !isTimeZone(input.quietHours.zone))
    throw invalidInput([{ field: 'quietHours.zone', message: TIME_ZONE_SENTENCE }])
  const body = await transaction(db, async (tx) => {
    const before = await lockNotificationSettings(tx, user.id)
    const after: NotificationSettings = {
      quietHours: input.quietHours === undefined ? before.quietHours : input.quietHours,
      sounds: input.sounds ?? before.sounds,
    }
    await saveNotificationSettings(tx, user.id, after, clock.now())
    return after
  })
  return { status: 200, body }
}
