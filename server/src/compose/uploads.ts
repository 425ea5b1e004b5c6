import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { filesystemStorage } from '../adapters/filesystem-storage/filesystem-storage.ts'
import { httpImageCheck } from '../adapters/image-check/http-image-check.ts'
import { ownImageCheck } from '../adapters/image-check/own-image-check.ts'
import type { Config } from '../configuration/config.ts'
import type { DownloadGate } from '../features/recordings/routes.ts'
import { removeReplacedJob, sweepUploadsJob } from '../features/uploads/jobs.ts'
import type { UploadReceiver } from '../features/uploads/routes.ts'
import type { Job } from '../platform/background/jobs.ts'
import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/database/database.ts'
import type { Log } from '../platform/log.ts'
import { deriveKey } from '../platform/secrets/secret.ts'
import type { ImageCheckPort } from '../ports/image-check.ts'
import type { ObjectStoragePort } from '../ports/object-storage.ts'

/** Where files are kept, and what looks at them. */
export interface Uploads {
  storage: ObjectStoragePort
  /** Takes uploads that come to the API itself; undefined where the store has an address of its own. */
  receiver: UploadReceiver | undefined
  /** Knows which downloads were allowed, where the API serves files itself. */
  downloadGate: DownloadGate | undefined
  imageCheck: ImageCheckPort
  jobs: Job[]
  /** Starts what need not be there before the first upload. */
  start(): void
  close(): Promise<void>
}

const ENTRY = fileURLToPath(new URL('../main.ts', import.meta.url))

export async function openUploads(needs: {
  config: Config
  clock: Clock
  log: Log
  db: Db
}): Promise<Uploads> {
  const { config, clock, log, db } = needs
  const files = config.s3 ? undefined : openFiles(config, clock)
  const s3 = config.s3 && (await openS3(config.s3))
  const storage = (files ?? s3) as ObjectStoragePort
  const own = config.imageCheckUrl === undefined ? ownImageCheck({ entry: ENTRY, log }) : undefined
  const imageCheck = own ?? httpImageCheck({ url: async () => config.imageCheckUrl as string })
  return {
    storage,
    receiver: files,
    downloadGate: files,
    imageCheck,
    jobs: [sweepUploadsJob({ db, clock, storage }), removeReplacedJob({ db, clock, storage })],
    start: () => own?.start(),
    async close() {
      await own?.stop()
      s3?.close()
    },
  }
}

function openFiles(config: Config, clock: Clock) {
  return filesystemStorage({
    folder: join(config.dataDir, 'storage'),
    signingKey: deriveKey(config.secretKey, 'upload-addresses'),
    publicUrl: `${config.baseUrl}/storage`,
    clock,
  })
}

/** Loaded only where it is used: its SDK would make every start slower. */
async function openS3(options: NonNullable<Config['s3']>) {
  const { s3Storage } = await import('../adapters/s3/s3-storage.ts')
  return s3Storage(options)
}
