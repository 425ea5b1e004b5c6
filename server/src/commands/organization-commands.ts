import type { Command } from 'commander'
import {
  type AuditCheckpoint,
  CHECKPOINT_KEY,
  holdsCheckpoint,
  openCheckpoint,
} from '../access/audit/audit-checkpoint.ts'
import type { AuditCut } from '../access/audit/audit-retention.ts'
import { verifyAuditTrail } from '../access/audit/audit-verdict.ts'
import { openStorage } from '../compose/from-configuration/object-storage.ts'
import { archiveChapters } from '../compose/from-features/archive-chapters.ts'
import { hashKeysOf, keyRingOf } from '../compose/keys/key-rings.ts'
import type { Config } from '../configuration/config.ts'
import { normalizeEmail } from '../directory/email-address.ts'
import { switchCalendars } from '../features/calendar/connection/switch-calendars.ts'
import { importOrganization } from '../features/exports/import-organization.ts'
import { INVITATION_KEYS } from '../features/invitations/tokens.ts'
import { proveAgain } from '../features/sign-in/domains/prove-again.ts'
import {
  makeRecoveryToken,
  RECOVERY_MINUTES,
  recoveryUrl,
  requireLockedOutAdmin,
} from '../features/sign-in/recovery/make-recovery-link.ts'
import { systemClock } from '../platform/clock.ts'
import { textResolver } from '../platform/outside/dns-text.ts'
import { keyIdOfStatement, statementSigner } from '../platform/secrets/signed-statement.ts'
import { identityOfCommand } from './command-identity.ts'
import {
  logCommand,
  type OperatorContext,
  onBehalfOfOperator,
  requireOrganization,
  withConfiguredDatabase,
} from './operator-commands.ts'
import { addEraseCommand } from './organization-erase.ts'
import { addLimitsCommand } from './organization-limits.ts'
import { addMoveCommands, describeDigests, describeMissing } from './organization-move.ts'
import { addRestoreCommand, describeLooked } from './organization-restore.ts'

/** Adds `atrium organization …`. */
export function addOrganizationCommands(program: Command, context: OperatorContext): void {
  const organization = program.command('organization').description('look after an organization')
  addRestoreCommand(organization, context)
  addEraseCommand(organization, context)
  addVerifyCommand(organization, context)
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
      if (position !== 'on' && position !== 'off') throw new Error('Give on or off')
      await withConfiguredDatabase(context, async (db, config) => {
        await switchCalendars(db, await requireOrganization(db, organizationId), position, new Date())
        const facts = { command: 'organization.calendars-switched', organization: organizationId }
        logCommand(context.logOf(config), facts)
      })
      context.print(`Calendars are ${position} for ${organizationId}`)
      context.end()
    })
  addImportCommand(organization, context)
  addMoveCommands(organization, context)
  addLimitsCommand(organization, context)
}

function addImportCommand(organization: Command, context: OperatorContext): void {
  organization
    .command('import <file>')
    .description('bring an organization from its export into this office')
    .action(async (file: string) => {
      const { imported, looked } = await withConfiguredDatabase(
        context,
        async (db, config) => {
          await using stack = new AsyncDisposableStack()
          const { storage } = await openStorage({ config, clock: systemClock, stack })
          const chapters = archiveChapters({ invitationRing: keyRingOf(config, INVITATION_KEYS) })
          const checkpointSigner = statementSigner(hashKeysOf(config, CHECKPOINT_KEY).current)
          const needs = { db, storage, chapters, checkpointSigner }
          const done = await importOrganization(needs, file, systemClock.now())
          const facts = { command: 'organization.imported', organization: done.organizationId }
          logCommand(context.logOf(config), facts)
          const lookingUp = { db, clock: systemClock, resolveText: textResolver() }
          return { imported: done, looked: await proveAgain(lookingUp, done.id) }
        },
        { makes: true },
      )
      const { organizationId, name, rows, pictures, files, left, waiting, digests, receipt, isAgain } =
        imported
      if (isAgain)
        context.print('An earlier call has brought it from this very archive: nothing was done now.')
      context.print(
        `${name} (${organizationId}) is here: ${rows} rows, ${pictures} pictures and ${files} files.`,
      )
      if (waiting > 0)
        context.print(
          `${waiting} of its people have an account here already: each joins by signing in here with a code to that address.`,
        )
      for (const line of [...describeMissing(imported.missing), ...describeDigests(digests)])
        context.print(line)
      for (const { chapter, rows: count, reason } of left)
        if (count > 0) context.print(`Not imported: ${count} of ${chapter}; ${reason}.`)
      for (const one of looked) context.print(describeLooked(organizationId, one))
      context.print(`Receipt, for an organization that moves: ${receipt}`)
      context.print(
        'Files of recordings are not in an archive: copy them to the object storage, under their names.',
      )
      context.end()
    })
}

function addVerifyCommand(organization: Command, context: OperatorContext): void {
  organization
    .command('verify-audit <organizationId>')
    .description('recompute the audit trail of an organization')
    .option('--checkpoint <text>', 'check too that it still has the entry of a checkpoint that was kept')
    .action(async (organizationId: string, options: { checkpoint?: string }) => {
      const { verdict, kept } = await withConfiguredDatabase(context, async (db, config) => {
        const { id } = await requireOrganization(db, organizationId)
        const found = await verifyAuditTrail(db, id)
        const known = options.checkpoint === undefined ? undefined : await opened(config, options.checkpoint)
        if (known && known.organizationId !== organizationId)
          throw new Error('The checkpoint is of another organization')
        const held = known && (await holdsCheckpoint(db, id, known))
        if (known && held === 'changed')
          throw new Error(`The audit trail no longer has entry ${known.sequence} as it was at ${known.at}`)
        if (found.cut) await requireSigned(config, organizationId, found.cut)
        const facts = { command: 'organization.audit-verified', organization: organizationId }
        logCommand(context.logOf(config), facts)
        return { verdict: found, kept: known && { ...known, isRemoved: held === 'removed' } }
      })
      const { entries, brokenAt, cut } = verdict
      if (brokenAt !== undefined)
        throw new Error(`The audit trail is not as it was written: look at entry ${brokenAt}`)
      context.print(`The audit trail is whole: ${entries} entries`)
      if (cut)
        context.print(
          `Up to entry ${cut.sequence} it was removed when its retention ended: this office has signed that`,
        )
      if (kept?.isRemoved) context.print(`Entry ${kept.sequence} is among them: nothing can be said of it`)
      if (kept && !kept.isRemoved)
        context.print(`It still has entry ${kept.sequence} as it was at ${kept.at}`)
      context.end()
    })
}

/** @throws Error where this office has not said that the trail was removed just so far */
async function requireSigned(config: Config, organizationId: string, cut: AuditCut): Promise<void> {
  const keyId = await unknownKeyOf(config, cut.statement)
  if (keyId)
    throw new Error(
      `The beginning of the audit trail is missing up to entry ${cut.sequence}: that ${signedWith(keyId)}, somebody else has cut it off`,
    )
  const signed = await openCheckpoint(signersOf(config), cut.statement)
  const isSame =
    signed?.organizationId === organizationId &&
    signed.sequence === cut.sequence &&
    signed.hash === cut.hash.toString('hex')
  if (!isSame)
    throw new Error(
      `The beginning of the audit trail is missing up to entry ${cut.sequence}, and neither SECRET_KEY nor one of SECRET_KEY_PREVIOUS has signed that`,
    )
}

const signersOf = (config: Config) => hashKeysOf(config, CHECKPOINT_KEY).all.map(statementSigner)

async function opened(config: Config, text: string): Promise<AuditCheckpoint> {
  const keyId = await unknownKeyOf(config, text)
  if (keyId) throw new Error(`The checkpoint ${signedWith(keyId)}, it is not of this office`)
  const checkpoint = await openCheckpoint(signersOf(config), text)
  if (!checkpoint) throw new Error('This is no checkpoint that this office has signed')
  return checkpoint
}

/** The key that something says it is signed with, where that is none of ours. */
async function unknownKeyOf(config: Config, statement: string): Promise<string | undefined> {
  const keyId = keyIdOfStatement(statement)
  const known = await Promise.all(signersOf(config).map((signer) => signer.keyId()))
  return keyId === '' || known.includes(keyId) ? undefined : keyId
}

const signedWith = (keyId: string) =>
  `is said to be signed with a key (key id ${keyId}) that is neither SECRET_KEY nor one of SECRET_KEY_PREVIOUS. Add the SECRET_KEY of that time to SECRET_KEY_PREVIOUS; where there was none of that id`
