import type { Command } from 'commander'
import { catalogueDifferences } from '../platform/database/catalogue.ts'
import type { Db } from '../platform/database/database.ts'
import { mendCatalogue, sentenceOf, shortName } from '../platform/database/mend-catalogue.ts'
import { MEND_COMMAND } from '../platform/database/tell-differences.ts'
import { addMoveCommand } from './backup/backup-commands.ts'
import { logCommand, type OperatorContext, withConfiguredDatabase } from './operator-commands.ts'

const ALL_WELL = 'Roles, rights, policies, triggers, functions and indexes are as the migrations made them'

/** Adds `atrium database …`. */
export function addDatabaseCommands(program: Command, context: OperatorContext): void {
  const database = program.command('database').description('the database of the office')
  addMoveCommand(database, context)
  database
    .command('check')
    .description('compare the schema with what the migrations made, as after a restore')
    .option('--mend', 'restore what is missing or different, where no rows are involved')
    .action(async ({ mend }: { mend?: true }) => {
      await withConfiguredDatabase(context, async (db, config) => {
        if (!mend) return await check(db, context.print)
        logCommand(context.logOf(config), { command: 'database.mend' })
        await mendAll(db, context.print)
      })
      context.end()
    })
}

/** @throws Error where there is a difference, so that the command fails */
async function check(db: Db, print: (line: string) => void): Promise<void> {
  const differences = await catalogueDifferences(db)
  if (differences.length === 0) return print(ALL_WELL)
  for (const difference of differences) print(sentenceOf(difference))
  throw new Error(`Not as the migrations made it: ${differences.length}. Mend it with: ${MEND_COMMAND}`)
}

/** @throws Error where something could not be mended */
async function mendAll(db: Db, print: (line: string) => void): Promise<void> {
  const { done, left } = await mendCatalogue(db)
  for (const each of done) print(`Mended: ${each.kind} ${shortName(each)}`)
  for (const difference of left) print(`${sentenceOf(difference)} Not mended: ${difference.reason}.`)
  if (left.length > 0)
    throw new Error(
      `Could not be mended: ${left.length}. Restore tables and columns from a backup; what the database refuses, its administrator can do (docs/operations/database-check.md)`,
    )
  print(ALL_WELL)
}
