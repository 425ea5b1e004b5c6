import type { Command } from 'commander'
import { type DeadItem, dropDead, listDead, retryDead } from '../platform/background/dead-work.ts'
import type { Db } from '../platform/database/database.ts'
import { logCommand, type OperatorContext, withConfiguredDatabase } from './operator-commands.ts'

const LISTED = 200

/** Adds `atrium work …`. */
export function addWorkCommands(program: Command, context: OperatorContext): void {
  const work = program.command('work').description('background work that was given up')
  work
    .command('list')
    .description('show what was given up, newest first')
    .action(async () => {
      const items = await withConfiguredDatabase(context, (db) => listDead(db, LISTED))
      if (items.length === 0) context.print('Nothing was given up')
      for (const item of items) context.print(lineOf(item))
      context.end()
    })
  const change = (name: string, description: string, to: (db: Db, id: string) => Promise<boolean>) =>
    work
      .command(`${name} <id...>`)
      .description(description)
      .action(async (ids: string[]) => {
        await withConfiguredDatabase(context, async (db, config) => {
          for (const id of ids) {
            if (!/^\d{1,18}$/.test(id) || !(await to(db, id)))
              throw new Error(`Nothing was given up under ${id}. See: npx atrium work list`)
            logCommand(context.logOf(config), { command: `work.${name}` })
          }
        })
        context.print(`Done: ${ids.join(', ')}`)
        context.end()
      })
  change('retry', 'try it again, with all its attempts', retryDead)
  change('drop', 'delete it without doing it', dropDead)
}

function lineOf({ id, queue, organizationId, attempts, lastError, deadAt }: DeadItem): string {
  const place = organizationId === '0' ? '' : `, organization ${organizationId}`
  return `${id}  ${queue}${place}: given up at ${deadAt.toISOString()} after ${attempts} tries (${lastError ?? 'no reason'})`
}
