import { sql } from 'kysely'
import { enqueue } from '../../../platform/background/work-items.ts'
import { workQueue } from '../../../platform/background/work-payload.ts'
import type { WorkQueue } from '../../../platform/background/work-queue.ts'
import { type Clock, secondsAfter } from '../../../platform/clock.ts'
import type { Db, Tx } from '../../../platform/database/database.ts'
import { transaction } from '../../../platform/database/transaction.ts'
import { type OrganizationId, trusted, type UserId } from '../../../platform/ids.ts'
import { Type } from '../../../platform/schema.ts'
import { withoutNamesInWords } from '../erased-names.ts'
import { lockTranscript, storeWords } from './transcript-store.ts'

interface Needs {
  db: Db
  clock: Clock
}

const QUEUE = 'transcript-erasures'
const AGAIN_AFTER_SECONDS = 60

const Payload = Type.Object({ recording: Type.String(), known: Type.Array(Type.String()) })

/**
 * Takes the names of a person out of transcripts. What a person said stays, as the film does. One that waits for its
 * words is looked at when it has them: the names may be among them.
 */
export async function eraseFromTranscripts(
  { db, clock }: Needs,
  { id: person, known }: { id: UserId; known: readonly string[] },
  organizations: readonly OrganizationId[],
): Promise<void> {
  await transaction(db, async (tx) => {
    for (const { id, organization } of await lockTranscriptsWith(tx, known, organizations)) {
      if (await eraseFromTranscript(tx, organization, id, known)) continue
      const payload = { recording: id, known: [...known] }
      await enqueue(tx, { queue: QUEUE, organization, key: `${id}:${person}`, payload, now: clock.now() })
    }
  })
}

/** Erases from transcripts that waited for their words when a person was erased. */
export function transcriptErasureQueue({ db, clock }: Needs): WorkQueue {
  return workQueue({
    name: QUEUE,
    lanes: { default: 1 },
    retry: { firstSeconds: 30, lastSeconds: 3_600 },
    // names of a person who is erased
    confidential: true,
    payload: Payload,
    async handle({ organization, payload: { recording, known } }) {
      if (!organization) return
      const isDone = await transaction(db, (tx) => eraseFromTranscript(tx, organization, recording, known))
      return isDone ? undefined : { againAt: secondsAfter(clock.now(), AGAIN_AFTER_SECONDS) }
    },
  })
}

/** Locked: a transcript that waits does not get its words meanwhile. */
async function lockTranscriptsWith(
  tx: Tx,
  known: readonly string[],
  organizations: readonly OrganizationId[],
): Promise<{ id: string; organization: OrganizationId }[]> {
  const { rows } = await sql<{ id: string; organization: string }>`
    select id, organization_id as organization from recordings
    where organization_id = any(${organizations}::bigint[])
      and (transcript_state = 'waiting' or transcript is not null)
      and exists (select from unnest(${known}::text[]) as known
        where known ~ '\\S\\s+\\S' and (transcript_state = 'waiting'
          or strpos(lower(transcript::text), lower(split_part(regexp_replace(known, '\\s+', ' ', 'g'), ' ', 1))) > 0))
    order by id for update`.execute(tx)
  return rows.map(({ id, organization }) => ({ id, organization: trusted.organizationId(organization) }))
}

/** One at a time: each may be some megabytes. @returns false where it waits for its words */
async function eraseFromTranscript(
  tx: Tx,
  organization: OrganizationId,
  id: string,
  known: readonly string[],
): Promise<boolean> {
  const found = await lockTranscript(tx, organization, id)
  if (found?.state === 'waiting') return false
  const words = found?.words ?? []
  const rest = withoutNamesInWords(words, known)
  if (rest.length < words.length) await storeWords(tx, organization, id, rest)
  return true
}
