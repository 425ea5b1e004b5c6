import type { Command } from 'commander'
import type { Config } from './config.ts'
import { insertPilotToken } from './features/sign-in/sign-up-store.ts'
import { openOfficeDatabase, runningDatabaseUrl } from './office-database.ts'
import { secondsAfter } from './platform/clock.ts'
import { type Db, openDatabase, openPool } from './platform/database/database.ts'
import { migrate } from './platform/database/migrate.ts'
import type { Log } from './platform/log.ts'
import { hashToken, newToken } from './platform/secret.ts'

/** What the commands are given by `main.ts`, which alone reads the environment and prints. */
export interface OperatorContext {
  configuration(): Promise<Config>
  logOf(config: Config): Log
  print(line: string): void
  /** Ends the process: a running server that was only looked at may keep nobody from it. */
  end(): void
}

const DAY_SECONDS = 24 * 60 * 60
const STATEMENT_MS = 30_000

/** Adds `atrium pilot-token …`. */
export function addPilotTokenCommands(program: Command, context: OperatorContext): void {
  const pilotTokens = program.command('pilot-token').description('invitations of pilot customers')
  pilotTokens
    .command('create')
    .description('make a token for POST /auth/admin-sign-up; it is shown once and works once')
    .option('--note <text>', 'whom it is for', '')
    .option('--days <number>', 'how long it can be used', '30')
    .action(async (options: { note: string; days: string }) => {
      const days = wholeNumber(options.days, '--days', 1, 365)
      const token = newToken('pilot')
      await withDatabase(context, async (db) => {
        const now = new Date()
        const expiresAt = secondsAfter(now, days * DAY_SECONDS)
        await insertPilotToken(db, { tokenHash: hashToken(token), note: options.note, expiresAt }, now)
      })
      context.print(token)
      context.end()
    })
}

/** Works on the database of the office, whether it is open or not; leaves it as it found it. */
export async function withDatabase<Result>(
  context: OperatorContext,
  work: (db: Db, config: Config) => Promise<Result>,
): Promise<Result> {
  const config = await context.configuration()
  const log = context.logOf(config)
  const running = await runningDatabaseUrl(config, log).catch(() => undefined)
  const opened = running ? undefined : await openOfficeDatabase(config, log, () => ({ pid: process.pid }))
  const connectionString = running ?? (opened?.connectionString as string)
  try {
    if (opened) await migrate(connectionString, log)
    const db = openDatabase(
      openPool({
        connectionString,
        maxConnections: 1,
        statementTimeoutMs: STATEMENT_MS,
        onIdleError: (error) => log.warn({ err: error }, 'the database closed a connection'),
      }),
    )
    try {
      return await work(db, config)
    } finally {
      await db.destroy()
    }
  } finally {
    await opened?.close()
  }
}

export function wholeNumber(text: string, option: string, smallest: number, largest: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (value >= smallest && value <= largest) return value
  throw new Error(`${option} must be a whole number from ${smallest} to ${largest}`)
}
