import { httpFileCheck } from '../../../adapters/file-check/http-file-check.ts'
import { httpImageCheck } from '../../../adapters/image-check/http-image-check.ts'
import { ownImageCheck } from '../../../adapters/image-check/own-image-check.ts'
import { keptFiles } from '../../../features/chat/attachments/store.ts'
import { eraseFromUploads } from '../../../features/uploads/erase.ts'
import { removeReplacedJob, sweepUploadsJob } from '../../../features/uploads/jobs.ts'
import { serveStorage } from '../../../features/uploads/routes.ts'
import type { DownloadGate } from '../../../platform/http/signed-downloads.ts'
import type { FileCheckPort } from '../../../ports/file-check.ts'
import type { ImageCheckPort } from '../../../ports/image-check.ts'
import type { ObjectStoragePort } from '../../../ports/object-storage.ts'
import { openStorage } from '../../from-configuration/object-storage.ts'
import type { Opening, Part } from '../../part.ts'
import type { Databases } from '../platform/databases.ts'

/** Where files are kept, and what looks at them. */
export interface Uploads extends Part {
  needs: {
    storage: ObjectStoragePort
    imageCheck: ImageCheckPort
    imageBaseUrl: string
    avatarUploadTries: number
    unfinishedUploads: number
    fileCheck: FileCheckPort | undefined
    fileBytesMax: number
  }
  storage: ObjectStoragePort
  /** Knows which downloads were allowed, where the API serves files itself. */
  downloadGate: DownloadGate | undefined
  imageCheck: ImageCheckPort
  /** Starts the image check, where it is ours: it need not be there before the first upload. */
  startImageCheck(): void
}

export async function openUploads(
  { config, clock, log, stack }: Opening,
  { databases }: { databases: Databases },
): Promise<Uploads> {
  const { background: db } = databases
  const { storage, files } = await openStorage({ config, clock, stack })
  const own = config.imageCheckUrl === undefined ? ownImageCheck({ log }) : undefined
  if (own) stack.defer(() => own.stop())
  const imageCheck = own ?? httpImageCheck({ url: async () => config.imageCheckUrl as string })
  const folders = [{ prefix: 'attachments/', kept: (keys: readonly string[]) => keptFiles(db, keys) }]
  return {
    needs: {
      storage,
      imageCheck,
      imageBaseUrl: config.avatarPublicBaseUrl,
      avatarUploadTries: config.avatarUploadTries,
      unfinishedUploads: config.limits.unfinishedUploads,
      fileCheck: config.fileCheckUrl === undefined ? undefined : httpFileCheck(config.fileCheckUrl),
      fileBytesMax: config.limits.fileBytesMax,
    },
    storage,
    downloadGate: files,
    imageCheck,
    jobs: [sweepUploadsJob({ db, clock, storage, folders }), removeReplacedJob({ db, clock, storage })],
    erasers: [{ name: 'pictures', erase: (person) => eraseFromUploads({ db, storage }, person) }],
    // uploads come to the API itself, but where the store has an address of its own
    routes: (server) => serveStorage(server, { storage, receiver: files }),
    startImageCheck: () => own?.start(),
  }
}
