import { resolve } from 'node:path'
import type { Command } from 'commander'
import {
  openOfficeDatabase,
  requireEmbeddedOffice,
} from '../../compose/from-configuration/office-database.ts'
import { BackupProblem, type DatabaseManifest, type Manifest } from '../../platform/backup/manifest.ts'
import { logCommand, type OperatorContext, wholeNumber } from '../operator-commands.ts'
import { withConnectionString } from '../with-database.ts'
import type { RestoredOffice } from './backup-office.ts'
import { parsePlace, type RemotePlace } from './remote-place.ts'

/** Adds `atrium backup` and `atrium restore`. */
export function addBackupCommands(program: Command, context: OperatorContext): void {
  program
    .command('backup [folder]')
    .description(
      'write database, pictures, files of the chat and the list of recordings into a folder, or a bucket; the office may stay open',
    )
    .option(
      '--to <place>',
      's3://bucket/prefix, in place of a folder: an archive named by its time is made there',
    )
    .option('--keep-days <number>', 'with --to: remove archives there that are older')
    .action((folder: string | undefined, options: BackupOptions) => backUp(context, folder, options))
  program
    .command('restore <archive>')
    .description('put what "atrium backup" has written into an empty office: a folder, or s3://bucket/prefix')
    .option('--other-keys', 'go on although SECRET_KEY and the other keys are not those of the archive')
    .action((archive: string, options: { otherKeys?: boolean }) => restore(context, archive, options))
}

interface BackupOptions {
  to?: string
  keepDays?: string
}

async function backUp(
  context: OperatorContext,
  folder: string | undefined,
  options: BackupOptions,
): Promise<void> {
  const destination = destinationOf(folder, options)
  const { backUpOffice, makeArchive } = await import('./backup-office.ts')
  const config = await context.configuration()
  const log = context.logOf(config)
  // before anything is made in its folder
  await requireEmbeddedOffice(config)
  logCommand(log, { command: 'backup' })
  const into = (made: string, write: typeof backUpOffice) =>
    withConnectionString(config, log, (connectionString) =>
      write({ config, connectionString, folder: made, log }),
    )
  if ('folder' in destination) sayBackup(context, await into(resolve(destination.folder), backUpOffice))
  else {
    const { backUpRemotely } = await import('./remote-backup.ts')
    const make = (made: string) => into(made, makeArchive)
    const { manifest, name, removed } = await backUpRemotely({ config, log }, destination, make)
    sayBackup(context, manifest)
    context.print(`Kept as ${options.to}/${name}`)
    if (removed.length > 0) context.print(`Removed, since they are older: ${removed.join(', ')}`)
  }
  context.end()
}

async function restore(
  context: OperatorContext,
  archive: string,
  { otherKeys = false }: { otherKeys?: boolean },
): Promise<void> {
  const { restoreOffice } = await import('./backup-office.ts')
  const config = await context.configuration()
  const log = context.logOf(config)
  logCommand(log, { command: 'restore' })
  const from = async (folder: string) => {
    // no other process may have it open
    const opened = await openOfficeDatabase(config, log, () => ({ pid: process.pid }))
    const { connectionString } = opened
    const office = { config, connectionString, folder, log }
    return await restoreOffice(office, { otherKeys }).finally(() => opened.close())
  }
  if (!archive.startsWith('s3://')) sayRestored(context, await from(resolve(archive)))
  else {
    const { restoreRemotely } = await import('./remote-backup.ts')
    const { restored, name } = await restoreRemotely(config, parsePlace(archive), from)
    context.print(`Archive ${name}`)
    sayRestored(context, restored)
  }
  context.end()
}

type Destination = { folder: string } | { place: RemotePlace; keepDays: number | undefined }

/** @throws BackupProblem */
function destinationOf(folder: string | undefined, { to, keepDays }: BackupOptions): Destination {
  if ((folder === undefined) === (to === undefined))
    throw new BackupProblem('Name a folder, or a bucket by --to s3://bucket/prefix')
  if (folder !== undefined) {
    if (keepDays !== undefined) throw new BackupProblem('--keep-days goes with --to')
    return { folder }
  }
  const days = keepDays === undefined ? undefined : wholeNumber(keepDays, '--keep-days', 1, 3_650)
  return { place: parsePlace(to as string), keepDays: days }
}

function sayBackup({ print }: OperatorContext, { database, pictures, recordings }: Manifest): void {
  print(`Backed up: ${aboutDatabase(database)}, ${pictures.count} pictures and files of the chat`)
  if (recordings.count > 0)
    print(`Not in it: the files of ${recordings.count} recordings. Back up their bucket`)
  print('Not in it: the keys. Keep SECRET_KEY and the other secrets elsewhere')
}

function sayRestored({ print }: OperatorContext, { manifest, recordingsMissing }: RestoredOffice): void {
  const { database, pictures, madeAt, release } = manifest
  print(`Restored: ${aboutDatabase(database)}, ${pictures.count} pictures and files of the chat`)
  print(`As of ${madeAt}, by Atrium ${release}; every table was read again and is the same`)
  if (recordingsMissing > 0)
    print(`The files of ${recordingsMissing} recordings are not in the store: restore their bucket`)
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
