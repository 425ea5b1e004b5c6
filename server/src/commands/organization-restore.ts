import type { Command } from 'commander'
import { normalizeEmail } from '../directory/email-address.ts'
import { restoreOrganization } from '../features/organizations/restore-organization.ts'
import { type Looked, proveAgain } from '../features/sign-in/domains/prove-again.ts'
import { systemClock } from '../platform/clock.ts'
import { textResolver } from '../platform/outside/dns-text.ts'
import { logCommand, type OperatorContext, withConfiguredDatabase } from './operator-commands.ts'

/** Adds `atrium organization restore`. */
export function addRestoreCommand(organization: Command, context: OperatorContext): void {
  organization
    .command('restore <organizationId>')
    .description('bring back an organization that was deleted within the last 30 days')
    .option('--admin <email>', 'the member who is made an admin; needed where none is left')
    .action(async (organizationId: string, options: { admin?: string }) => {
      const admin = options.admin === undefined ? undefined : requireEmail(options.admin)
      const looked = await withConfiguredDatabase(context, async (db, config) => {
        const restored = await restoreOrganization(db, { organizationId, admin }, systemClock.now())
        if (!restored)
          throw new Error(`No organization ${organizationId} was deleted within the last 30 days`)
        logCommand(context.logOf(config), { command: 'organization.restored', organization: organizationId })
        return await proveAgain({ db, clock: systemClock, resolveText: textResolver() }, restored.id)
      })
      context.print(`${organizationId} is back. Its people see it in their lists again.`)
      for (const one of looked) context.print(describeLooked(organizationId, one))
      context.end()
    })
}

/** What an operator is told of a domain that was looked up anew. */
export function describeLooked(organizationId: string, { domain, outcome }: Looked): string {
  if (outcome === 'verified') return `${domain} is verified: its record is there`
  if (outcome === 'taken') return `${domain} is verified for another organization by now`
  return `${domain} is pending: its single sign-on is not in force until you run atrium domain verify ${organizationId} ${domain}`
}

function requireEmail(text: string): string {
  const email = normalizeEmail(text)
  if (!email) throw new Error(`--admin: ${text} is no e-mail address`)
  return email
}
