import { sql } from 'kysely'
import type { ErasedPerson } from '../../directory/erasure.ts'
import type { Db } from '../../platform/database/database.ts'

/** Events with their name or what they said of themselves, sent or not. Those that name them by their ids stay. */
export async function eraseFromWebhooks(db: Db, { id }: ErasedPerson): Promise<void> {
  await sql`
    delete from webhook_deliveries where event = 'profile.updated' and data ->> 'userId' = ${id}`.execute(db)
}
