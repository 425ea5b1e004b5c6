import type { Command } from 'commander'
import { normalizeEmail } from '../directory/email-address.ts'
import { restoreOrganization } from '../features/organizations/restore-organization.ts'
import { systemClock } from '../platform/clock.ts'
import { logCommand, type OperatorContext, withConfiguredDatabase } from './operator-commands.ts'

/** Adds `atrium organization restore`. */
export function addRestoreCommand(organization: Command, context: OperatorContext): void {
  organization
    .command('restore <organizationId>')
    .description('bring back an organization that was deleted within the last 30 days')
    .option('--admin <email>', 'the member who is made an admin; needed where none is left')
    .action(async (organizationId: string, options: { admin?: string }) => {
      const admin = options.admin === undefined ? undefined : requireEmail(options.admin)
      await withConfiguredDatabase(context, async (db, config) => {
        const restored = await restoreOrganization(db, { organizationId, admin }, systemClock.now())
        if (!restored)
          throw new Error(`No organization ${organizationId} was deleted within the last 30 days`)
        logCommand(context.logOf(config), { command: 'organization.restored', organization: organizationId })
      })
      context.print(`${organizationId} is back. Its people see it in their lists again.`)
      context.end()
    })
}

function requireEmail(text: string): string {
  const email = normalizeEmail(text)
  if (!email) throw new Error(`--admin: ${text} is no e-mail address`)
  return email
}
