import { verifyAuditTrail } from '../access/audit-trail.ts'
import type { Config } from '../configuration/config.ts'
import { findOrganization } from '../directory/organizations.ts'
import { switchCalendars } from '../features/calendar/switch-calendars.ts'
import { restoreOrganization } from '../features/organizations/restore-organization.ts'
import { parseIdentityOrganizationId } from '../platform/ids.ts'
import type { Log } from '../platform/log.ts'
import { logCommand } from './operator-commands.ts'
import { withDatabase } from './with-database.ts'

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
