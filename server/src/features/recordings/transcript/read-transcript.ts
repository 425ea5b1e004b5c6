import type { Input, Reply } from '@atrium/contract'
import { recordAudit } from '../../../access/audit/audit-trail.ts'
import type { CallerOf } from '../../../access/caller.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/database/database.ts'
import { transaction } from '../../../platform/database/transaction.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { requireFinished, watchedRecording } from '../recording-access.ts'
import { viewOfSpeaker } from '../watching/speaker.ts'
import { readWords } from './transcript-store.ts'

interface Needs {
  db: Db
  clock: Clock
  recordingAccessDays: number
}

/** What was said in a recording, for those who may watch it. */
export async function readTranscript(
  needs: Needs,
  caller: CallerOf<'readTranscript'>,
  input: Input<'readTranscript'>,
): Promise<Reply<'readTranscript'>> {
  const { id: organization } = caller.organization
  const { recording } = await watchedRecording(needs, caller, input)
  requireFinished(recording)
  if (recording.transcript === 'waiting') throw Refusal.of('transcript-not-ready')
  if (recording.transcript === 'failed') throw Refusal.of('transcript-failed')
  const words = await readWords(needs.db, organization, recording.id)
  if (!words) throw Refusal.of('no-transcript')
  await transaction(needs.db, (tx) =>
    recordAudit(tx, organization, caller, needs.clock.now(), {
      action: 'recording.transcript-read',
      target: { kind: 'recording', id: recording.id },
    }),
  )
  return {
    status: 200,
    body: {
      words: words.map(({ from, to, text, ...speaker }) => ({ from, to, ...viewOfSpeaker(speaker), text })),
    },
  }
}
