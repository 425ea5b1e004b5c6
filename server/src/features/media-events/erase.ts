import { sql } from 'kysely'
import type { ErasedPerson } from '../../directory/erasure.ts'
import type { Db } from '../../platform/database/database.ts'

/** Their name in what the media server has told of them. The events stay for as long as one may come twice. */
export async function eraseFromMediaEvents(db: Db, { id }: ErasedPerson): Promise<void> {
  await sql`
    update media_events set event = jsonb_set(event, '{participant,name}', '""')
    where event #>> '{participant,name}' <> ''
      and (event #>> '{participant,identity}' = ${id}
        or starts_with(event #>> '{participant,identity}', ${`${id}#`}))`.execute(db)
}
