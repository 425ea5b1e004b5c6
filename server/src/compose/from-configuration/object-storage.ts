import { join } from 'node:path'
import {
  type FilesystemStorage,
  filesystemStorage,
} from '../../adapters/filesystem-storage/filesystem-storage.ts'
import type { Config } from '../../configuration/config.ts'
import { BackupProblem } from '../../platform/backup/manifest.ts'
import type { Clock } from '../../platform/clock.ts'
import type { ObjectStoragePort } from '../../ports/object-storage.ts'
import { hashKeysOf } from '../keys/key-rings.ts'
import type { Opening } from '../part.ts'

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

/** A bucket of the store that keeps backups. @throws BackupProblem where no store is configured */
export async function openBackupBucket(
  { backupStore }: Pick<Config, 'backupStore'>,
  bucket: string,
  stack: AsyncDisposableStack,
): Promise<ObjectStoragePort> {
  if (!backupStore)
    throw new BackupProblem(
      'No store for backups is configured: set BACKUP_S3_ENDPOINT, BACKUP_S3_ACCESS_KEY_ID and BACKUP_S3_SECRET_ACCESS_KEY (or those of S3_ENDPOINT)',
    )
  const s3 = await openS3({ ...backupStore, bucket })
  stack.defer(() => s3.close())
  return s3
}

/** Loaded only where it is used: its SDK would make every start slower. */
async function openS3(options: NonNullable<Config['s3']>) {
  const { s3Storage } = await import('../../adapters/s3/s3-storage.ts')
  return s3Storage(options)
}
