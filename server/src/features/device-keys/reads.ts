import type { Db } from '../../platform/database/database.ts'
import { trusted, type UserId } from '../../platform/ids.ts'

/** The people of devices, whichever organizations they are in; of devices that are not known nothing. */
export async function ownersOfDevices(db: Db, ids: readonly string[]): Promise<Map<string, UserId>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('device_keys')
    .select(['device_id as id', 'user_id as user'])
    .where('device_id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.map(({ id, user }) => [id, trusted.userId(user)]))
}
