import { hostname, userInfo } from 'node:os'
import type { Command } from 'commander'
import { type AuditEntry, OPERATOR, recordAudit } from '../access/audit/audit-trail.ts'
import { logSecurity } from '../access/security-log.ts'
import type { Config } from '../configuration/config.ts'
import { findOrganization, type OrganizationRef } from '../directory/organizations.ts'
import { insertPilotToken } from '../features/sign-in/sign-up/sign-up-store.ts'
import { DAY_SECONDS, secondsAfter } from '../platform/clock.ts'
import type { Db, Tx } from '../platform/database/database.ts'
import { transaction } from '../platform/database/transaction.ts'
import { parseIdentityOrganizationId } from '../platform/ids.ts'
import type { Log } from '../platform/log.ts'
import { hashToken, newToken } from '../platform/secrets/secret.ts'
import { type Making, withDatabase } from './with-database.ts'

/** What the commands are given by `main.ts`, which alone reads the environment and prints. */
export interface OperatorContext {
  configuration(): Promise<Config>
  logOf(config: Config): Log
  print(line: string): void
  /** As `print`, of what is wrong. */
  complain(line: string): void
  /** Ends the process: it must not wait for a running server that was only looked at. @param code 0 where not given */
  end(code?: number): void
}

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
      await withConfiguredDatabase(context, async (db, config) => {
        const now = new Date()
        const expiresAt = secondsAfter(now, days * DAY_SECONDS)
        await insertPilotToken(db, { tokenHash: hashToken(token), note: options.note, expiresAt }, now)
        logCommand(context.logOf(config), { command: 'pilot-token.created' })
      })
      context.print(token)
      context.end()
    })
}

/** As `withDatabase`, of the configuration that the commands are given. */
export async function withConfiguredDatabase<Result>(
  context: OperatorContext,
  work: (db: Db, config: Config) => Promise<Result>,
  making?: Making,
): Promise<Result> {
  const config = await context.configuration()
  return await withDatabase(config, context.logOf(config), (db) => work(db, config), making)
}

/** What a command has done to an organization: its result, and the entry for the audit trail; none where it did nothing. */
export interface Commanded<Result> {
  result: Result
  entry?: AuditEntry | undefined
}

/**
 * Does what an operator wants of an organization, and writes it down: in the audit trail, in the same transaction
 * itself or not at all, and in one line of the log.
 */
export async function onBehalfOfOperator<Result>(
  { db, log }: { db: Db; log: Pick<Log, 'info'> },
  organization: OrganizationRef,
  work: (tx: Tx) => Promise<Commanded<Result>>,
): Promise<Result> {
  const { result, entry } = await transaction(db, async (tx) => {
    const done = await work(tx)
    if (done.entry) await recordAudit(tx, organization.id, OPERATOR, new Date(), done.entry)
    return done
  })
  if (entry) logCommand(log, { command: entry.action, organization: organization.identityId })
  return result
}

/** One line of the log: which command, about what, and by whom of this machine. */
export function logCommand(log: Pick<Log, 'info'>, facts: { command: string; organization?: string }): void {
  logSecurity(log, 'operator-command', { ...facts, operator: accountName(), machine: hostname() })
}

function accountName(): string {
  try {
    return userInfo().username
  } catch {
    // in a container there may be no name for the number
    return String(process.getuid?.() ?? '')
  }
}

export function wholeNumber(text: string, option: string, smallest: number, largest: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (value >= smallest && value <= largest) return value
  throw new Error(`${option} must be a whole number from ${smallest} to ${largest}`)
}

/** @throws Error with a message for a person where there is no such organization */
export async function requireOrganization(db: Db, organizationId: string): Promise<OrganizationRef> {
  const id = parseIdentityOrganizationId(organizationId)
  const organization = id && (await findOrganization(db, id))
  if (!organization) throw new Error(`There is no organization ${organizationId}`)
  return organization
}
