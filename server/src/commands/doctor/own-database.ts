import { DataFolderTaken } from '@atrium/embedded-postgres/hold-data-folder.ts'
import {
  hasEmbeddedDatabase,
  type OfficeDatabase,
  openExistingDatabase,
  runningDatabaseUrl,
} from '../../compose/from-configuration/office-database.ts'
import type { Config } from '../../configuration/config.ts'
import { openLog } from '../../platform/log.ts'

type Found = Pick<OfficeDatabase, 'connectionString' | 'close'>

/**
 * The embedded database, where there is one already: that of the office that has it open, or else started for as long as
 * it is looked at. It is neither made nor migrated.
 * @returns undefined where there is none yet, and where DATABASE_URL names another
 * @throws Error in words where it does not start
 */
export async function openOwnDatabase(config: Config): Promise<Found | undefined> {
  if (config.databaseUrl || !(await hasEmbeddedDatabase(config.dataDir))) return undefined
  const log = openLog({ level: 'silent', forPeople: false, toErrorOutput: true })
  try {
    return await openExistingDatabase(config, log)
  } catch (error) {
    if (!(error instanceof DataFolderTaken)) throw error
    return { connectionString: await runningDatabaseUrl(config, log), close: async () => {} }
  }
}
