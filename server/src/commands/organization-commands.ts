import type { Command } from 'commander'
import { verifyAuditTrail } from '../access/audit-verdict.ts'
import { normalizeEmail } from '../directory/email-address.ts'
import { switchCalendars } from '../features/calendar/switch-calendars.ts'
import { restoreOrganization } from '../features/organizations/restore-organization.ts'
import {
  makeRecoveryToken,
  RECOVERY_MINUTES,
  recoveryUrl,
  requireLockedOutAdmin,
} from '../features/sign-in/recovery/make-recovery-link.ts'
import { identityOfCommand } from './command-identity.ts'
import {
  logCommand,
  type OperatorContext,
  onBehalfOfOperator,
  requireOrganization,
  withConfiguredDatabase,
} from './operator-commands.ts'

/** Adds `atrium organization …`. */
export function addOrganizationCommands(program: Command, context: OperatorContext): void {
  const organization = program.command('organization').description('look after an organization')
  organization
    .command('restore <organizationId>')
    .description('bring back an organization that was deleted within the last 30 days')
    .action(async (organizationId: string) => {
      await withConfiguredDatabase(context, async (db, config) => {
        if (!(await restoreOrganization(db, organizationId, new Date())))
          throw new Error(`No organization ${organizationId} was deleted within the last 30 days`)
        logCommand(context.logOf(config), { command: 'organization.restored', organization: organizationId })
      })
      context.print(`${organizationId} is back. Its people see it in their lists again.`)
      context.end()
    })
  organization
    .command('verify-audit <organizationId>')
    .description('recompute the audit trail of an organization')
    .action(async (organizationId: string) => {
      const { entries, brokenAt } = await withConfiguredDatabase(context, async (db, config) => {
        const { id } = await requireOrganization(db, organizationId)
        const verdict = await verifyAuditTrail(db, id)
        const facts = { command: 'organization.audit-verified', organization: organizationId }
        logCommand(context.logOf(config), facts)
        return verdict
      })
      if (brokenAt !== undefined)
        throw new Error(`The audit trail is not as it was written: look at entry ${brokenAt}`)
      context.print(`The audit trail is whole: ${entries} entries`)
      context.end()
    })
  organization
    .command('recovery-link <organizationId> <email>')
    .description('make a link that signs a locked-out administrator in: once, within 15 minutes')
    .action(async (organizationId: string, address: string) => {
      const email = normalizeEmail(address)
      if (!email) throw new Error(`${address} is no e-mail address`)
      const url = await withConfiguredDatabase(context, async (db, config) => {
        const log = context.logOf(config)
        const found = await requireOrganization(db, organizationId)
        const identity = identityOfCommand({ config, db, log })
        const admin = await requireLockedOutAdmin({ db, identity }, found, email)
        const token = await onBehalfOfOperator({ db, log }, found, async (tx) => ({
          result: await makeRecoveryToken(tx, found, admin, new Date()),
          entry: { action: 'recovery-link.created', target: { kind: 'user', id: admin.id } },
        }))
        return recoveryUrl(config.frontendUrl, token)
      })
      context.print(url)
      context.print(`It signs ${email} in, once, within ${RECOVERY_MINUTES} minutes. Give it to nobody else.`)
      context.end()
    })
  organization
    .command('calendars <organizationId> <on|off>')
    .description('switch calendars on or off for the people of an organization')
    .action(async (organizationId: string, position: string) => {
      if (position !== 'on' && position !== 'off') throw new Error('Say on or off')
      await withConfiguredDatabase(context, async (db, config) => {
        await switchCalendars(db, await requireOrganization(db, organizationId), position, new Date())
        const facts = { command: 'organization.calendars-switched', organization: organizationId }
        logCommand(context.logOf(config), facts)
      })
      context.print(`Calendars are ${position} for ${organizationId}`)
      context.end()
    })
}
