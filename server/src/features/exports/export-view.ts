import type { Export } from '@atrium/contract'
import { type Clock, DAY_SECONDS, secondsAfter } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import type { ObjectStoragePort } from '../../ports/object-storage.ts'
import { EXPORT_ADDRESS_SECONDS } from './rules.ts'
import { type ExportOwner, type ExportRow, listExports } from './store.ts'

export interface ViewNeeds {
  db: Db
  clock: Clock
  storage: Pick<ObjectStoragePort, 'signDownload'>
}

const SHOWN_SECONDS = 30 * DAY_SECONDS
const SHOWN_MAX = 50

/** The exports of one owner, with an address for each that can be fetched: a new one each time, good for minutes. */
export async function viewExports(needs: ViewNeeds, owner: ExportOwner): Promise<Export[]> {
  const now = needs.clock.now()
  const rows = await listExports(needs.db, owner, secondsAfter(now, -SHOWN_SECONDS), SHOWN_MAX)
  return await Promise.all(rows.map((row) => viewOf(needs, row, now)))
}

async function viewOf({ storage }: ViewNeeds, row: ExportRow, now: Date): Promise<Export> {
  const { id: exportId, progress } = row
  const view = { exportId, startedAt: row.started_at.toISOString(), progress }
  if (row.state !== 'ready' || row.expires_at === null) return { ...view, state: row.state }
  const secondsLeft = Math.floor((row.expires_at.getTime() - now.getTime()) / 1_000)
  // its file may still be there for a moment
  if (secondsLeft < 1) return { ...view, state: 'expired' }
  const downloadUrl = await storage.signDownload({
    key: row.object_key,
    fileName: fileNameOf(row),
    contentType: 'application/gzip',
    expiresInSeconds: Math.min(EXPORT_ADDRESS_SECONDS, secondsLeft),
  })
  return { ...view, state: 'ready', downloadUrl }
}

function fileNameOf({ organization_id: organization, started_at: startedAt }: ExportRow): string {
  const time = startedAt.toISOString().slice(0, 19).replaceAll(':', '-')
  return `atrium-${organization === null ? 'personal' : 'organization'}-${time}.tar.gz`
}
