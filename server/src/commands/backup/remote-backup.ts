import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { openBackupBucket } from '../../compose/from-configuration/object-storage.ts'
import { unknownKeys } from '../../compose/keys/key-fingerprints.ts'
import type { Config } from '../../configuration/config.ts'
import type { Manifest } from '../../platform/backup/manifest.ts'
import { systemClock } from '../../platform/clock.ts'
import { fieldsOf } from '../../platform/outside/outside-fields.ts'
import type { ObjectStoragePort } from '../../ports/object-storage.ts'
import { type ArchivedOffice, noteMade, type RestoredOffice, sayingWhy } from './backup-office.ts'
import { archiveName, fetchArchive, removeOldArchives, sendArchive } from './remote-archives.ts'
import type { RemotePlace } from './remote-place.ts'

/**
 * Makes an archive in a folder that is gone in the end, and keeps it at a place. Where anything fails, no archive there is
 * removed.
 * @throws BackupProblem
 */
export async function backUpRemotely(
  { config, log }: Pick<ArchivedOffice, 'config' | 'log'>,
  { place, keepDays }: { place: RemotePlace; keepDays: number | undefined },
  make: (folder: string) => Promise<Manifest>,
): Promise<{ manifest: Manifest; name: string; removed: string[] }> {
  return await withPlace(config, place, async (store, folder) => {
    // before the work: a bucket that is not there
    await store.check()
    const manifest = await make(folder)
    const name = archiveName(systemClock.now())
    await sendArchive(store, place, { folder, name })
    await noteMade({ config, log }, manifest)
    const removed =
      keepDays === undefined
        ? []
        : await removeOldArchives(store, place, { days: keepDays, kept: name, isOurs: isArchiveOf(config) })
    return { manifest, name, removed }
  })
}

/** Fetches an archive from a place into a folder that is gone in the end, and restores it. @throws BackupProblem */
export async function restoreRemotely(
  config: Config,
  place: RemotePlace,
  restore: (folder: string) => Promise<RestoredOffice>,
): Promise<{ restored: RestoredOffice; name: string }> {
  return await withPlace(config, place, async (store, folder) => {
    const name = await fetchArchive(store, place, folder)
    return { restored: await restore(folder), name }
  })
}

/** An archive of this office was made with one of its keys. */
function isArchiveOf(config: Config) {
  return (manifest: unknown): boolean => {
    const { keyFingerprints } = fieldsOf(manifest)
    const fingerprints = fieldsOf(keyFingerprints) as Record<string, string>
    return fingerprints.SECRET_KEY !== undefined && unknownKeys(config, fingerprints).length === 0
  }
}

async function withPlace<Result>(
  config: Config,
  { bucket }: RemotePlace,
  work: (store: ObjectStoragePort, folder: string) => Promise<Result>,
): Promise<Result> {
  await using stack = new AsyncDisposableStack()
  const store = await openBackupBucket(config, bucket, stack)
  await mkdir(config.dataDir, { recursive: true })
  const folder = await mkdtemp(join(config.dataDir, 'archive-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  return await sayingWhy('backups', () => work(store, folder))
}
