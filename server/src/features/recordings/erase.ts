import { sql } from 'kysely'
import type { ErasedPerson } from '../../directory/erasure.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import type { OrganizationId } from '../../platform/ids.ts'
import { withoutNamesInList, withoutNamesInText } from './erased-names.ts'
import { eraseFromTranscripts } from './transcript/transcript-erasure.ts'

/**
 * Their names in what the front end has said of a recording of an organization that they were in: a name is also other
 * people's, and those of other organizations are nothing of theirs. In free text a name of one word stays, which may
 * be any word. The film itself is the organization's: it shows others too, and goes when its time is over or somebody
 * deletes it; under legal hold not even then.
 */
export async function eraseFromRecordings(
  needs: { db: Db; clock: Clock },
  person: ErasedPerson,
  organizations: readonly OrganizationId[],
): Promise<void> {
  const known = [...person.names, ...person.emails]
  if (known.length === 0) return
  await transaction(needs.db, (tx) => eraseNames(tx, known, organizations))
  await eraseFromTranscripts(needs, { id: person.id, known }, organizations)
}

async function eraseNames(
  tx: Tx,
  known: readonly string[],
  organizations: readonly OrganizationId[],
): Promise<void> {
  // locked: the reason of a hold may be changed at the same time
  const { rows } = await sql<{
    id: string
    participants: string
    topic: string
    reason: string | null
    name: string | null
  }>`
    select id, participants, conference_topic as topic, hold_reason as reason, name from recordings
    where organization_id = any(${organizations}::bigint[]) and exists (select from unnest(${known}::text[]) as known
      where strpos(lower(concat_ws(E'\n', participants, conference_topic, hold_reason, name)), lower(known)) > 0)
    order by id for update`.execute(tx)
  for (const { id, participants, topic, reason, name } of rows)
    await tx
      .updateTable('recordings')
      .set({
        participants: withoutNamesInList(participants, known),
        conference_topic: withoutNamesInText(topic, known),
        hold_reason: reason === null ? null : withoutNamesInText(reason, known),
        name: name === null ? null : withoutNamesInText(name, known),
      })
      .where('id', '=', id)
      .execute()
}
