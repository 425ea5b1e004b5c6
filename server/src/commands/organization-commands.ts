import { DataFolderTaken } from '@atrium/embedded-postgres/hold-data-folder.ts'
import { verifyAuditTrail } from '../access/audit-trail.ts'
import { openOfficeDatabase, runningDatabaseUrl } from '../compose/office-database.ts'
import type { Config } from '../configuration/config.ts'
import { findOrganization } from '../directory/organizations.ts'
import { switchCalendars } from '../features/calendar/switch-calendars.ts'
import { restoreOrganization } from '../features/organizations/restore-organization.ts'
import { type Db, openDatabase, openPool } from '../platform/database/database.ts'
import { parseIdentityOrganizationId } from '../platform/ids.ts'
import type { Log } from '../platform/log.ts'
import { logCommand } from './operator-commands.ts'

/**
 * `atrium organization restore`: brings a deleted organization back.
 * @returns what to tell the operator
 * @throws Error with a message for a person where there is nothing to bring back
 */
export async function restoreCommand(config: Config, log: Log, organizationId: string): Promise<string> {
  return await withDatabase(config, log, async (db) => {
    if (!(await restoreOrganization(db, organizationId, new Date())))
      throw new Error(`No organization ${organizationId} was deleted within the last 30 days`)
    logCommand(log, { command: 'organization.restored', organization: organizationId })
    return `${organizationId} is back. Its people see it in their lists again.`
  })
}

/**
 * `atrium organization verify-audit`: recomputes the audit trail of an organization.
 * @throws Error with a message for a person where it is not as it was written
 */
export async function verifyAuditCommand(config: Config, log: Log, organizationId: string): Promise<string> {
  return await withDatabase(config, log, async (db) => {
    const identityId = parseIdentityOrganizationId(organizationId)
    const organization = identityId && (await findOrganization(db, identityId))
    if (!organization) throw new Error(`There is no organization ${organizationId}`)
    const { entries, brokenAt } = await verifyAuditTrail(db, organization.id)
    logCommand(log, { command: 'organization.audit-verified', organization: organizationId })
    if (brokenAt !== undefined)
      throw new Error(`The audit trail is not as it was written: look at entry ${brokenAt}`)
    return `The audit trail is whole: ${entries} entries`
  })
}

/**
 * `atrium organization calendars`: whether the people of an organization may use calendars.
 * @throws Error with a message for a person where there is no such organization
 */
export async function calendarsCommand(
  config: Config,
  log: Log,
  organizationId: string,
  position: string,
): Promise<string> {
  if (position !== 'on' && position !== 'off') throw new Error('Say on or off')
  return await withDatabase(config, log, async (db) => {
    const id = parseIdentityOrganizationId(organizationId)
    const organization = id && (await findOrganization(db, id))
    if (!organization) throw new Error(`There is no organization ${organizationId}`)
    await switchCalendars(db, organization, position, new Date())
    logCommand(log, { command: 'organization.calendars-switched', organization: organizationId })
    return `Calendars are ${position} for ${organizationId}`
  })
}

/** The database of the office, whether that is open or not. */
async function withDatabase(config: Config, log: Log, work: (db: Db) => Promise<string>): Promise<string> {
  const { connectionString, close } = await reach(config, log)
  const pool = openPool({
    connectionString,
    maxConnections: 1,
    statementTimeoutMs: 60_000,
    onIdleError: (error) => log.warn({ err: error }, 'the database closed a connection'),
  })
  const db = openDatabase(pool)
  try {
    return await work(db)
  } finally {
    await db.destroy()
    await close()
  }
}

async function reach(
  config: Config,
  log: Log,
): Promise<{ connectionString: string; close: () => Promise<void> }> {
  try {
    return await openOfficeDatabase(config, log, () => ({ pid: process.pid }))
  } catch (error) {
    if (!(error instanceof DataFolderTaken)) throw error
    return { connectionString: await runningDatabaseUrl(config, log), close: async () => {} }
  }
}
