import { resolve } from 'node:path'
import type { Command } from 'commander'
import { openOfficeDatabase } from '../../compose/from-configuration/office-database.ts'
import { BackupProblem, type DatabaseManifest } from '../../platform/backup/manifest.ts'
import { logCommand, type OperatorContext } from '../operator-commands.ts'
import { withConnectionString } from '../with-database.ts'

/** Adds `atrium backup` and `atrium restore`. */
export function addBackupCommands(program: Command, context: OperatorContext): void {
  program
    .command('backup <folder>')
    .description(
      'write database, pictures and the list of recordings into a folder; the office may stay open',
    )
    .action(async (folder: string) => {
      const { backUpOffice } = await import('./backup-office.ts')
      const config = await context.configuration()
      const log = context.logOf(config)
      logCommand(log, { command: 'backup' })
      const manifest = await withConnectionString(config, log, (connectionString) =>
        backUpOffice({ config, connectionString, folder: resolve(folder), log }),
      )
      context.print(`Backed up: ${aboutDatabase(manifest.database)}, ${manifest.pictures.count} pictures`)
      if (manifest.recordings.count > 0)
        context.print(`Not in it: the files of ${manifest.recordings.count} recordings. Back up their bucket`)
      context.print('Not in it: the keys. Keep SECRET_KEY and the other secrets elsewhere')
      context.end()
    })
  program
    .command('restore <folder>')
    .description('put what "atrium backup" has written into an empty office')
    .option('--other-keys', 'go on although SECRET_KEY and the other keys are not those of the archive')
    .action(async (folder: string, { otherKeys = false }: { otherKeys?: boolean }) => {
      const { restoreOffice } = await import('./backup-office.ts')
      const config = await context.configuration()
      const log = context.logOf(config)
      logCommand(log, { command: 'restore' })
      // no other process may have it open
      const opened = await openOfficeDatabase(config, log, () => ({ pid: process.pid }))
      const { connectionString } = opened
      const { manifest, recordingsMissing } = await restoreOffice(
        { config, connectionString, folder: resolve(folder), log },
        { otherKeys },
      ).finally(() => opened.close())
      const { database, pictures, madeAt, release } = manifest
      context.print(`Restored: ${aboutDatabase(database)}, ${pictures.count} pictures`)
      context.print(`As of ${madeAt}, by Atrium ${release}; every table was read again and is the same`)
      if (recordingsMissing > 0)
        context.print(
          `The files of ${recordingsMissing} recordings are not in the store: restore their bucket`,
        )
      context.end()
    })
}

/** Adds `atrium database move`, beside `atrium database check`. */
export function addMoveCommand(database: Command, context: OperatorContext): void {
  database
    .command('move')
    .description('copy the embedded database of DATA_DIR into the empty one that DATABASE_URL names')
    .action(async () => {
      const { moveDatabase } = await import('./move-database.ts')
      const config = await context.configuration()
      const log = context.logOf(config)
      if (!config.databaseUrl)
        throw new BackupProblem('DATABASE_URL is not set: set it to the database to move to')
      logCommand(log, { command: 'database.move' })
      const manifest = await moveDatabase(config, config.databaseUrl.reveal(), log)
      context.print(`Moved: ${aboutDatabase(manifest)}; every table was read again and is the same`)
      context.print(
        `The embedded database in ${config.dataDir} is unchanged, and no longer used while DATABASE_URL is set`,
      )
      context.end()
    })
}

function aboutDatabase({ tables }: DatabaseManifest): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  return `${rows} rows of ${tables.length} tables`
}
