import type { Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import type { Db } from '../../platform/database/database.ts'
import { readNotificationSettings } from './store.ts'

interface Needs {
  db: Db
}

/** When the caller is left in peace, and whether their office sounds. */
export async function getNotificationSettings(
  { db }: Needs,
  { user }: CallerOf<'getNotificationSettings'>,
): Promise<Reply<'getNotificationSettings'>> {
  return { status: 200, body: await readNotificationSettings(db, user.id) }
}
