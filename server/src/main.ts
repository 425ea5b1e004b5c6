import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { openApiDocument } from '@atrium/contract/openapi'
import { Command } from 'commander'
import { type Config, ConfigurationProblem, readConfig } from './config.ts'
import { doctor } from './doctor.ts'
import { openOfficeDatabase, runningDatabaseUrl } from './office-database.ts'
import { restoreCommand, verifyAuditCommand } from './organization-commands.ts'
import { migrate } from './platform/database/migrate.ts'
import { openLog } from './platform/log.ts'
import { VERSION } from './platform/version.ts'
import { serve } from './serve.ts'

/** The command line: the only file that reads the environment, prints for people, or ends the process. */

/** Longer than anything within it may take: notice, requests, jobs, mails, database. */
const CLOSE_WITHIN_MS = 60_000
const ROOT = fileURLToPath(new URL('../..', import.meta.url))

const program = new Command('atrium').description('The open backend of a virtual office').version(VERSION)

program
  .command('serve')
  .description('open the office')
  .action(async () => {
    const config = await configuration()
    const running = await serve(config, { log: logOf(config), clock: { now: () => new Date() } })
    for (const line of running.welcome) console.log(line)
    const stop = (reason: string) => {
      setTimeout(() => fail(new Error('the office did not close in time')), CLOSE_WITHIN_MS).unref()
      running.stop(reason).then(() => process.exit(0), fail)
    }
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => stop(signal))
    process.once('disconnect', () => stop('parent gone'))
  })

program
  .command('migrate')
  .description('bring the schema of the database up to date')
  .action(async () => {
    const config = await configuration()
    const log = logOf(config)
    const database = await openOfficeDatabase(config, log, () => ({ pid: process.pid }))
    try {
      const applied = await migrate(database.connectionString, log)
      console.log(applied.length > 0 ? `Applied ${applied.join(', ')}` : 'The schema is up to date')
    } finally {
      await database.close()
    }
  })

program
  .command('doctor')
  .description('check every configured outside part and say how to mend what is wrong')
  .action(async () => {
    const findings = await doctor(process.env, ROOT)
    for (const { part, ok, says } of findings) console.log(`${ok ? '✓' : '✗'} ${part}: ${says}`)
    process.exitCode = findings.every(({ ok }) => ok) ? 0 : 1
  })

program
  .command('openapi')
  .description('print the OpenAPI document')
  .action(() => console.log(JSON.stringify(openApiDocument({ version: VERSION }), null, 2)))

program
  .command('database-url')
  .description('print the address of the database in use, for psql and the like')
  .action(async () => {
    const config = await configuration()
    console.log(await runningDatabaseUrl(config, logOf(config)))
    // A look at a running server only: nothing of it may keep this command from ending.
    process.exit(0)
  })

const organization = program.command('organization').description('look after an organization')

organization
  .command('restore <organizationId>')
  .description('bring back an organization that was deleted within the last 30 days')
  .action(async (organizationId: string) => {
    const config = await configuration()
    console.log(await restoreCommand(config, logOf(config), organizationId))
    process.exit(0)
  })

organization
  .command('verify-audit <organizationId>')
  .description('recompute the audit trail of an organization')
  .action(async (organizationId: string) => {
    const config = await configuration()
    console.log(await verifyAuditCommand(config, logOf(config), organizationId))
    process.exit(0)
  })

try {
  loadEnvironmentFile()
  await program.parseAsync()
} catch (error) {
  fail(error)
}

/** Settings may stand in a file `.env` in the folder of the checkout; those of the environment win. */
function loadEnvironmentFile(): void {
  try {
    readFileSync(`${ROOT}.env`)
  } catch {
    return
  }
  process.loadEnvFile(`${ROOT}.env`)
}

async function configuration(): Promise<Config> {
  const environment = { ...process.env }
  if (environment.PORT?.trim() === '0') environment.PORT = String(await freePort())
  return readConfig(environment, ROOT)
}

function logOf(config: Config) {
  return openLog({ level: config.logLevel, forPeople: process.stdout.isTTY === true })
}

function freePort(): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const probe = createServer().once('error', reject)
  probe.listen(0, '127.0.0.1', () => {
    const address = probe.address()
    probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
  })
  return promise
}

/** What is wrong, in one line each, and nothing else: a stack trace helps nobody who only wanted to start it. */
function fail(error: unknown): never {
  const lines =
    error instanceof ConfigurationProblem
      ? error.message.split('\n')
      : [error instanceof Error ? error.message : String(error)]
  for (const line of lines) console.error(`atrium: ${line}`)
  process.exit(1)
}
