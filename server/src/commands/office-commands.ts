import type { Command } from 'commander'
import type { Config } from '../configuration/config.ts'
import type { Environment } from '../configuration/setting-reader.ts'
import type { Log } from '../platform/log.ts'
import { VERSION } from '../platform/version.ts'
import type { OperatorContext } from './operator-commands.ts'

/** Adds `atrium migrate`. */
export function addMigrateCommand(program: Command, context: OperatorContext): void {
  program
    .command('migrate')
    .description('bring the schema of the database up to date')
    .action(async () => {
      const config = await context.configuration()
      const problems = await migrateDatabase(config, context.logOf(config), context.print)
      for (const problem of problems) context.complain(problem)
      context.end(problems.length > 0 ? 1 : 0)
    })
}

/** @returns what is not as the migrations made it, and how to mend it */
async function migrateDatabase(
  config: Config,
  log: Log,
  print: OperatorContext['print'],
): Promise<readonly string[]> {
  const { openOfficeDatabase } = await import('../compose/from-configuration/office-database.ts')
  const { migrate } = await import('../platform/database/migrate.ts')
  const { MEND_COMMAND, tellDifferences } = await import('../platform/database/tell-differences.ts')
  const database = await openOfficeDatabase(config, log, () => ({ pid: process.pid }))
  try {
    const applied = await migrate(database.connectionString, log)
    print(applied.length > 0 ? `Applied ${applied.join(', ')}` : 'The schema is up to date')
    const problems = await tellDifferences(database.connectionString, log)
    return problems.length > 0 ? [...problems, `Mend it with: ${MEND_COMMAND}`] : []
  } finally {
    await database.close()
  }
}

/** Adds `atrium doctor`, which looks at settings that may be wrong. */
export function addDoctorCommand(
  program: Command,
  context: OperatorContext,
  { environment, root }: { environment: Environment; root: string },
): void {
  program
    .command('doctor')
    .description('check every service that is configured, and say how to mend what is wrong')
    .action(async () => {
      const { doctor } = await import('./doctor/doctor.ts')
      const findings = await doctor(environment, root)
      for (const { part, ok, warns, says } of findings)
        context.print(`${ok ? (warns ? '!' : '✓') : '✗'} ${part}: ${says}`)
      context.end(findings.every(({ ok }) => ok) ? 0 : 1)
    })
}

/** Adds `atrium openapi`. */
export function addOpenApiCommand(program: Command, context: OperatorContext): void {
  program
    .command('openapi')
    .description('print the OpenAPI document')
    .action(async () => {
      const { openApiDocument } = await import('@atrium/contract/openapi')
      context.print(JSON.stringify(openApiDocument({ version: VERSION }), null, 2))
      context.end()
    })
}

/** Adds `atrium database-url`. */
export function addDatabaseUrlCommand(program: Command, context: OperatorContext): void {
  program
    .command('database-url')
    .description('print the address of the database in use, for psql and the like')
    .action(async () => {
      const { runningDatabaseUrl } = await import('../compose/from-configuration/office-database.ts')
      const config = await context.configuration()
      context.print(await runningDatabaseUrl(config, context.logOf(config)))
      context.end()
    })
}
