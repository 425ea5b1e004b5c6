import { sql } from 'kysely'
import type { ErasedPerson } from '../../directory/erasure.ts'
import type { Db } from '../../platform/database/database.ts'
import { withoutNames } from './names-in-lists.ts'

/**
 * Their names in what the front end has said of a recording. The film itself is the organization's: it shows others too,
 * and goes when its time is over or somebody deletes it.
 */
export async function eraseFromRecordings(db: Db, person: ErasedPerson): Promise<void> {
  const known = [...person.names, ...person.emails]
  if (known.length === 0) return
  const { rows } = await sql<{ id: string; participants: string; topic: string }>`
    select id, participants, conference_topic as topic from recordings
    where exists (select from unnest(${known}::text[]) as known
      where strpos(lower(participants || E'\n' || conference_topic), lower(known)) > 0)`.execute(db)
  for (const { id, participants, topic } of rows)
    await db
      .updateTable('recordings')
      .set({ participants: withoutNames(participants, known), conference_topic: withoutNames(topic, known) })
      .where('id', '=', id)
      .execute()
}
