import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { checkDatabase, openExistingDatabase } from '../../compose/from-configuration/office-database.ts'
import type { Config } from '../../configuration/config.ts'
import { archiveDatabase } from '../../platform/backup/archive-database.ts'
import type { DatabaseManifest } from '../../platform/backup/manifest.ts'
import { requireWhole, restoreDatabase } from '../../platform/backup/restore-database.ts'
import { migrate } from '../../platform/database/migrate.ts'
import type { Log } from '../../platform/log.ts'
import { withDatabaseAt } from '../with-database.ts'
import { requireEmpty, requireSound } from './backup-office.ts'

/**
 * Copies the embedded database into an empty one, by an archive in the data folder that is gone in the end. The office
 * has to be closed: what people do meanwhile would stay behind.
 * @throws BackupProblem
 */
export async function moveDatabase(config: Config, target: string, log: Log): Promise<DatabaseManifest> {
  await checkDatabase(target)
  await withDatabaseAt(target, log, (db) => requireEmpty(db, 'Move to one that is empty'))
  const source = await openExistingDatabase({ ...config, databaseUrl: undefined }, log)
  const folder = await mkdtemp(join(config.dataDir, 'moving-'))
  try {
    await migrate(source.connectionString, log)
    const manifest = await archiveDatabase(source.connectionString, folder)
    await requireWhole(folder, manifest)
    await restoreDatabase(target, { folder, manifest }, log)
    await requireSound(target, log)
    return manifest
  } finally {
    await rm(folder, { recursive: true, force: true })
    await source.close()
  }
}
