import { sql } from 'kysely'
import type { ErasedPerson } from '../../directory/erasure.ts'
import type { Db } from '../../platform/database/database.ts'

/**
 * Events with their name, or what they said of themselves, sent or not. Those that name them by ids stay.
 * @param desks rooms that were called as they were
 */
export async function eraseFromWebhooks(
  db: Db,
  { id }: ErasedPerson,
  desks: readonly string[],
): Promise<void> {
  await sql`
    delete from webhook_deliveries
    where event = 'profile.updated' and data ->> 'userId' = ${id}
      or event in ('room.created', 'room.updated') and data ->> 'roomId' = any(${desks}::text[])`.execute(db)
}
