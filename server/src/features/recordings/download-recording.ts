import type { Input, Reply } from '@atrium/contract'
import { recordAudit } from '../../access/audit/audit-trail.ts'
import type { CallerOf } from '../../access/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { ObjectStoragePort } from '../../ports/object-storage.ts'
import { endingOf, typeOfFilm } from './film-file.ts'
import { requireFinished, watchedRecording } from './recording-access.ts'
import { changeRecording, type StoredRecording } from './store.ts'

interface Needs {
  db: Db
  clock: Clock
  storage: Pick<ObjectStoragePort, 'signDownload' | 'find'>
  recordingAccessDays: number
}

const EXPIRES_IN_SECONDS = 300

/** An address under which the file of a recording can be fetched for a short time, by every holder of it. */
export async function downloadRecording(
  needs: Needs,
  caller: CallerOf<'downloadRecording'>,
  input: Input<'downloadRecording'>,
): Promise<Reply<'downloadRecording'>> {
  const { id: organization } = caller.organization
  const now = needs.clock.now()
  const { recording } = await watchedRecording(needs, caller, input)
  requireFinished(recording)
  if (recording.stored === 'elsewhere') await requireBroughtHere(needs, recording)
  const fileName = fileNameOf(recording)
  const downloadUrl = await needs.storage.signDownload({
    key: recording.fileKey,
    fileName,
    contentType: typeOfFilm(recording.fileKey),
    expiresInSeconds: EXPIRES_IN_SECONDS,
  })
  await transaction(needs.db, (tx) =>
    recordAudit(tx, organization, caller, now, {
      action: 'recording.downloaded',
      target: { kind: 'recording', id: recording.id },
    }),
  )
  return { status: 200, body: { downloadUrl, fileName, expiresInSeconds: EXPIRES_IN_SECONDS } }
}

/** Where an operator has brought the file into our store since, it is there from now on. @throws Refusal stored-elsewhere */
async function requireBroughtHere({ db, storage }: Needs, recording: StoredRecording): Promise<void> {
  if (!(await storage.find(recording.fileKey))) throw Refusal.of('stored-elsewhere')
  await changeRecording(db, recording.organization, recording.id, { stored: 'here' })
}

/** Plain letters only: it goes into a header. */
function fileNameOf({ requestedAt, fileKey }: StoredRecording): string {
  return `recording-${requestedAt.toISOString().slice(0, 19).replaceAll(':', '-')}.${endingOf(fileKey)}`
}
