import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type FilesystemStorage,
  filesystemStorage,
} from '../../adapters/filesystem-storage/filesystem-storage.ts'
import { httpImageCheck } from '../../adapters/image-check/http-image-check.ts'
import { ownImageCheck } from '../../adapters/image-check/own-image-check.ts'
import type { Config } from '../../configuration/config.ts'
import { eraseFromUploads } from '../../features/uploads/erase.ts'
import { removeReplacedJob, sweepUploadsJob } from '../../features/uploads/jobs.ts'
import { serveStorage } from '../../features/uploads/routes.ts'
import type { Clock } from '../../platform/clock.ts'
import type { DownloadGate } from '../../platform/http/signed-downloads.ts'
import type { ImageCheckPort } from '../../ports/image-check.ts'
import type { ObjectStoragePort } from '../../ports/object-storage.ts'
import type { Databases } from '../database/databases.ts'
import { hashKeysOf } from '../keys/key-rings.ts'
import type { Opening, Part } from '../part.ts'

/** Where files are kept, and what looks at them. */
export interface Uploads extends Part {
  needs: {
    storage: ObjectStoragePort
    imageCheck: ImageCheckPort
    imageBaseUrl: string
    avatarUploadTries: number
    unfinishedUploads: number
  }
  storage: ObjectStoragePort
  /** Knows which downloads were allowed, where the API serves files itself. */
  downloadGate: DownloadGate | undefined
  imageCheck: ImageCheckPort
  /** Starts the image check, where it is ours: it need not be there before the first upload. */
  startImageCheck(): void
}

const ENTRY = fileURLToPath(new URL('../../main.ts', import.meta.url))

export async function openUploads(
  { config, clock, log, stack }: Opening,
  { databases }: { databases: Databases },
): Promise<Uploads> {
  const { background: db } = databases
  const { storage, files } = await openStorage({ config, clock, stack })
  const own = config.imageCheckUrl === undefined ? ownImageCheck({ entry: ENTRY, log }) : undefined
  if (own) stack.defer(() => own.stop())
  const imageCheck = own ?? httpImageCheck({ url: async () => config.imageCheckUrl as string })
  return {
    needs: {
      ...{ storage, imageCheck },
      imageBaseUrl: config.avatarPublicBaseUrl,
      avatarUploadTries: config.avatarUploadTries,
      unfinishedUploads: config.limits.unfinishedUploads,
    },
    storage,
    downloadGate: files,
    imageCheck,
    jobs: [sweepUploadsJob({ db, clock, storage }), removeReplacedJob({ db, clock, storage })],
    erasers: [{ name: 'pictures', erase: (person) => eraseFromUploads({ db, storage }, person) }],
    // uploads come to the API itself, but where the store has an address of its own
    routes: (server) => serveStorage(server, { storage, receiver: files }),
    startImageCheck: () => own?.start(),
  }
}

/** The store that is configured; `files`: where the API itself serves it. */
export async function openStorage({
  config,
  clock,
  stack,
}: Pick<Opening, 'config' | 'clock' | 'stack'>): Promise<{
  storage: ObjectStoragePort
  files: FilesystemStorage | undefined
}> {
  if (!config.s3) {
    const files = openFiles(config, clock)
    return { storage: files, files }
  }
  const s3 = await openS3(config.s3)
  stack.defer(() => s3.close())
  return { storage: s3, files: undefined }
}

function openFiles(config: Config, clock: Clock) {
  return filesystemStorage({
    folder: join(config.dataDir, 'storage'),
    signingKeys: hashKeysOf(config, 'upload-addresses'),
    publicUrl: `${config.baseUrl}/storage`,
    clock,
  })
}

/** Loaded only where it is used: its SDK would make every start slower. */
async function openS3(options: NonNullable<Config['s3']>) {
  const { s3Storage } = await import('../../adapters/s3/s3-storage.ts')
  return s3Storage(options)
}
