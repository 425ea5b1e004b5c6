import type { Command } from 'commander'
import { openStorage } from '../compose/from-configuration/object-storage.ts'
import { archiveChapters } from '../compose/from-features/archive-chapters.ts'
import { keyRingOf } from '../compose/keys/key-rings.ts'
import { type ErasedOrganization, eraseOrganization } from '../features/exports/erasure/erase-organization.ts'
import { INVITATION_KEYS } from '../features/invitations/tokens.ts'
import { countHeld } from '../features/recordings/removal/removal-store.ts'
import { systemClock } from '../platform/clock.ts'
import { logCommand, type OperatorContext, withConfiguredDatabase } from './operator-commands.ts'

/** Adds `atrium organization erase`. */
export function addEraseCommand(organization: Command, context: OperatorContext): void {
  organization
    .command('erase <organizationId>')
    .description('erase an organization that was deleted more than 30 days ago, for good')
    .option('--now', 'also one that was deleted within the last 30 days', false)
    .action(async (organizationId: string, options: { now: boolean }) => {
      const erased = await withConfiguredDatabase(context, async (db, config) => {
        await using stack = new AsyncDisposableStack()
        const { storage } = await openStorage({ config, clock: systemClock, stack })
        const chapters = archiveChapters({ invitationRing: keyRingOf(config, INVITATION_KEYS) })
        const wanted = { organizationId, isHurried: options.now }
        const done = await eraseOrganization({ db, storage, chapters, countHeld }, wanted, systemClock.now())
        logCommand(context.logOf(config), { command: 'organization.erased', organization: organizationId })
        return done
      })
      for (const line of describeErased(organizationId, erased)) context.print(line)
      context.end()
    })
}

function describeErased(
  organizationId: string,
  { name, rows, files, accounts }: ErasedOrganization,
): string[] {
  const deleted = [...rows].filter(([, count]) => count > 0).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const all = deleted.reduce((sum, [, count]) => sum + count, 0)
  return [
    'Deleted, table by table (rows):',
    ...deleted.map(([table, count]) => `  ${table.padEnd(24)}${String(count).padStart(10)}`),
    `${name} (${organizationId}) is erased: ${all} rows and ${files} files.`,
    `Accounts of people stay; ${accounts} that were its own (bots, people of an import) are closed.`,
    'Backups, and archives that were downloaded, still have it. So has an identity provider outside: delete it there.',
  ]
}
