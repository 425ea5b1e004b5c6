import type { Db } from '../../platform/database/database.ts'
import type { UserId } from '../../platform/ids.ts'
import { zonedText } from '../../platform/zoned-time.ts'
import { readNotificationSettings } from './store.ts'

/** Whether it is within the quiet hours of a person, by the clocks of their zone. */
export async function isQuiet(db: Db, user: UserId, now: Date): Promise<boolean> {
  const { quietHours } = await readNotificationSettings(db, user)
  if (quietHours === null) return false
  const { from, to, zone } = quietHours
  const clock = zonedText(now, zone).slice(11, 16)
  return from < to ? clock >= from && clock < to : clock >= from || clock < to
}
