import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder as makeWithParents } from '@atrium/embedded-postgres/make-folder.ts'
import { openStorage } from '../../compose/from-configuration/object-storage.ts'
import { keyFingerprints, LOST_WITH_KEY, unknownKeys } from '../../compose/keys/key-fingerprints.ts'
import type { Config } from '../../configuration/config.ts'
import { isOccupied } from '../../directory/occupancy.ts'
import { listRecordingFiles, type RecordingFile } from '../../features/recordings/store-of-all.ts'
import { archiveDatabase } from '../../platform/backup/archive-database.ts'
import {
  FILE_MODE,
  FOLDER_MODE,
  makeFolder,
  readList,
  writeList,
} from '../../platform/backup/archive-files.ts'
import {
  BackupProblem,
  FORMAT,
  MANIFEST,
  type Manifest,
  readManifest,
} from '../../platform/backup/manifest.ts'
import { requireWhole, restoreDatabase } from '../../platform/backup/restore-database.ts'
import { systemClock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { MEND_COMMAND, tellDifferences } from '../../platform/database/tell-differences.ts'
import type { Log } from '../../platform/log.ts'
import { noteBackup } from '../../platform/metrics/process-facts.ts'
import { ProviderFailure } from '../../platform/refusal.ts'
import { VERSION } from '../../platform/version.ts'
import type { ObjectStoragePort } from '../../ports/object-storage.ts'
import { reasonOf } from '../doctor/reason.ts'
import { withDatabaseAt } from '../with-database.ts'
import { archivePictures, restorePictures } from './archived-pictures.ts'

/** What an archive is made of, or put back into. */
export interface ArchivedOffice {
  config: Config
  connectionString: string
  folder: string
  log: Log
}

const RECORDINGS = 'recordings.jsonl'

/** Backs an office up into a folder, and notes when that was done. @throws BackupProblem */
export async function backUpOffice(office: ArchivedOffice): Promise<Manifest> {
  const manifest = await makeArchive(office)
  await noteMade(office, manifest)
  return manifest
}

/**
 * Writes all that an office is, while it is open: its database at one moment, its pictures, a list of the files of its
 * recordings, and fingerprints of its keys.
 * @param folder that is empty, or is not there yet. Its manifest comes last: without it nothing of it is used
 * @throws BackupProblem
 */
export async function makeArchive({
  config,
  connectionString,
  folder,
  log,
}: ArchivedOffice): Promise<Manifest> {
  await makeWithParents(folder, FOLDER_MODE)
  await makeFolder(folder)
  const database = await archiveDatabase(connectionString, folder)
  const recordings = await withDatabaseAt(connectionString, log, (db) =>
    writeList(join(folder, RECORDINGS), listRecordingFiles(db)),
  )
  const pictures = await withStorage(config, (storage) => archivePictures(storage, folder))
  const manifest: Manifest = {
    format: FORMAT,
    release: VERSION,
    madeAt: systemClock.now().toISOString(),
    database,
    pictures,
    recordings,
    keyFingerprints: keyFingerprints(config),
  }
  const draft = join(folder, `${MANIFEST}.partial`)
  await writeFile(draft, `${JSON.stringify(manifest, undefined, 2)}\n`, { mode: FILE_MODE, flush: true })
  await rename(draft, join(folder, MANIFEST))
  return manifest
}

/** Tells the nodes that share the data folder, for their metrics, of an archive that is where it is to be kept. */
export async function noteMade(
  { config, log }: Pick<ArchivedOffice, 'config' | 'log'>,
  { madeAt }: Manifest,
): Promise<void> {
  await noteBackup(config.dataDir, madeAt).catch((err: unknown) =>
    // the archive is whole all the same
    log.warn(
      { err },
      'DATA_DIR does not take the time of this backup: the metrics will call it older than it is',
    ),
  )
}

/** What came back, and what did not. */
export interface RestoredOffice {
  manifest: Manifest
  /** Files of recordings that the store of this office does not have. */
  recordingsMissing: number
}

/**
 * Puts an archive into an empty office.
 * @param otherKeys go on where the keys are not those of the archive
 * @throws BackupProblem before anything was changed, but for an empty schema
 */
export async function restoreOffice(
  { config, connectionString, folder, log }: ArchivedOffice,
  { otherKeys = false } = {},
): Promise<RestoredOffice> {
  const manifest = await readManifest(folder)
  if (!otherKeys) requireKeys(config, manifest)
  await withDatabaseAt(connectionString, log, (db) => requireEmpty(db, 'Restore into one that is empty'))
  await requireWhole(folder, manifest.database)
  return await withStorage(config, async (storage) => {
    await restorePictures(storage, folder, manifest.pictures)
    await restoreDatabase(connectionString, { folder, manifest: manifest.database }, log)
    await requireSound(connectionString, log)
    return { manifest, recordingsMissing: await countMissing(storage, folder, manifest) }
  })
}

/** @throws BackupProblem */
function requireKeys(config: Config, manifest: Manifest): void {
  const problems = unknownKeys(config, manifest.keyFingerprints).map(
    (setting) => `${setting} is not the one of the archive: ${LOST_WITH_KEY[setting]}`,
  )
  if (problems.length === 0) return
  throw new BackupProblem(
    `${problems.join('. ')}. Set the key of that time (or name it in SECRET_KEY_PREVIOUS), or go on without it: --other-keys`,
  )
}

/** @param instead what to do then, as a sentence @throws BackupProblem where the database holds an office */
export async function requireEmpty(db: Db, instead: string): Promise<void> {
  if (await isOccupied(db)) throw new BackupProblem(`The database holds an office already. ${instead}`)
}

async function countMissing(storage: ObjectStoragePort, folder: string, manifest: Manifest): Promise<number> {
  let missing = 0
  for await (const { key } of readList<RecordingFile>(join(folder, RECORDINGS), manifest.recordings))
    if (!(await storage.find(key))) missing += 1
  return missing
}

async function withStorage<Result>(
  config: Config,
  work: (storage: ObjectStoragePort) => Promise<Result>,
): Promise<Result> {
  await using stack = new AsyncDisposableStack()
  const { storage } = await openStorage({ config, clock: systemClock, stack })
  return await sayingWhy('pictures', () => work(storage))
}

/** @throws BackupProblem with the words of the store, where it fails */
export async function sayingWhy<Result>(kept: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    throw new BackupProblem(
      `The store of ${kept} fails (${error.action}): ${reasonOf(error)}. See: npx atrium doctor`,
      error,
    )
  }
}

/** @throws BackupProblem where rows are back, and something of the schema is not as the migrations make it */
export async function requireSound(connectionString: string, log: Log): Promise<void> {
  const problems = await tellDifferences(connectionString, log)
  if (problems.length > 0)
    throw new BackupProblem(
      `All rows are back. The schema is not as it should be: mend it with ${MEND_COMMAND}`,
    )
}
