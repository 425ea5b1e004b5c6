import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../../access/caller.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/database/database.ts'
import { watchedRecording } from '../recording-access.ts'
import { viewOfRecording } from '../recording-view.ts'

interface Needs {
  db: Db
  clock: Clock
  recordingAccessDays: number
}

/** One recording, for those who may watch it. */
export async function getRecording(
  needs: Needs,
  caller: CallerOf<'getRecording'>,
  input: Input<'getRecording'>,
): Promise<Reply<'getRecording'>> {
  const { recording, ...seen } = await watchedRecording(needs, caller, input)
  return { status: 200, body: viewOfRecording(recording, seen) }
}
