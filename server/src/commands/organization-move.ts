import type { Command } from 'commander'
import { openStorage } from '../compose/from-configuration/object-storage.ts'
import { archiveChapters } from '../compose/from-features/archive-chapters.ts'
import { keyRingOf } from '../compose/keys/key-rings.ts'
import { findMove } from '../directory/moves.ts'
import { findOrganization } from '../directory/organizations.ts'
import type { ChapterDigest } from '../features/exports/compare-rows.ts'
import { confirmMove, switchAway, takeBack } from '../features/exports/move-organization.ts'
import { INVITATION_KEYS } from '../features/invitations/tokens.ts'
import { systemClock } from '../platform/clock.ts'
import type { Db } from '../platform/database/database.ts'
import { type IdentityOrganizationId, parseIdentityOrganizationId } from '../platform/ids.ts'
import { webAddress } from '../platform/text/unicode.ts'
import { logCommand, type OperatorContext, withConfiguredDatabase } from './operator-commands.ts'

/** Requests have ended by then, and every node has heard that the organization is closed. */
const SETTLE_SECONDS = '20'

/** Longer than any request takes; an export or a dump of the database that takes longer is ended, or awaited. */
const PATIENCE_SECONDS = '60'

interface SwitchOptions {
  to: string
  settle: string
  patience: string
  acceptMissing?: boolean
}

/** Adds `atrium organization move …`. */
export function addMoveCommands(organization: Command, context: OperatorContext): void {
  const move = organization.command('move').description('move an organization to another office')
  move
    .command('switch <organizationId> <file>')
    .description('close an organization here, and write the archive that the other office imports')
    .requiredOption('--to <address>', 'the address of the other office')
    .option('--settle <seconds>', 'how long requests that have begun may take', SETTLE_SECONDS)
    .option('--patience <seconds>', 'how long transactions may take that are open then', PATIENCE_SECONDS)
    .option('--accept-missing', 'go without pictures and files that the object storage does not have')
    .action(async (text: string, file: string, options: SwitchOptions) => {
      const settleMs = millisecondsOf('--settle', options.settle)
      const patienceMs = millisecondsOf('--patience', options.patience)
      const to = officeAddress(options.to)
      const { digests, missing } = await withConfiguredDatabase(context, async (db, config) => {
        await using stack = new AsyncDisposableStack()
        const { storage } = await openStorage({ config, clock: systemClock, stack })
        const chapters = archiveChapters({ invitationRing: keyRingOf(config, INVITATION_KEYS) })
        const departing = await requireDeparting(db, requireId(text))
        const needs = { db, storage, chapters, clock: systemClock }
        const acceptsMissing = options.acceptMissing ?? false
        const departure = { organization: departing, to, path: file, settleMs, patienceMs, acceptsMissing }
        const written = await switchAway(needs, departure)
        logCommand(context.logOf(config), { command: 'organization.moved', organization: text })
        return written
      })
      for (const line of describeDigests(digests)) context.print(line)
      for (const line of describeMissing(missing.length)) context.print(line)
      context.print(`${text} is closed here. Import ${file} at ${to}: atrium organization import <file>`)
      context.print(`Then: atrium organization move confirm ${text} <receipt that the import prints>`)
      context.print(`Or open it here again: atrium organization move rollback ${text}`)
      context.end()
    })
  addEndings(move, context)
}

/** What both offices print of an archive that they have compared themselves with. */
export function describeDigests(digests: ReadonlyMap<string, ChapterDigest>): string[] {
  const lines = [...digests].map(
    ([chapter, { rows, digest }]) =>
      `  ${chapter.padEnd(24)}${String(rows).padStart(10)}  ${digest.slice(0, 16)}`,
  )
  return ['Compared with the archive, chapter by chapter (rows, digest):', ...lines]
}

/** What is lost on the way between two offices, where something is. */
export function describeMissing(count: number): string[] {
  return count > 0 ? [`Missing in the archive: ${count} pictures and files that its rows name.`] : []
}

function addEndings(move: Command, context: OperatorContext): void {
  move
    .command('confirm <organizationId> <receipt>')
    .description('end a move: the organization is a deleted one here')
    .action(async (text: string, receipt: string) => {
      await withConfiguredDatabase(context, async (db, config) => {
        await confirmMove({ db, clock: systemClock }, requireId(text), receipt)
        logCommand(context.logOf(config), { command: 'organization.move-confirmed', organization: text })
      })
      context.print(
        `${text} has moved. What it had here can be brought back for 30 days, as of any deletion.`,
      )
      context.end()
    })
  move
    .command('rollback <organizationId>')
    .description('open an organization here again that was to move')
    .action(async (text: string) => {
      await withConfiguredDatabase(context, async (db, config) => {
        await takeBack({ db, clock: systemClock }, requireId(text))
        logCommand(context.logOf(config), { command: 'organization.move-taken-back', organization: text })
      })
      context.print(
        `${text} is open here again, as it was. Delete it at the other office if it was imported.`,
      )
      context.end()
    })
}

function millisecondsOf(option: string, seconds: string): number {
  const milliseconds = Number(seconds) * 1_000
  if (!Number.isFinite(milliseconds) || milliseconds < 0) throw new Error(`${option}: give seconds`)
  return milliseconds
}

/** People are sent there by a link. */
function officeAddress(text: string): string {
  const url = webAddress(text)
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url.origin
  throw new Error('--to: give the address of the other office, such as https://office.example')
}

function requireId(text: string): IdentityOrganizationId {
  const id = parseIdentityOrganizationId(text)
  if (!id) throw new Error(`There is no organization ${text}`)
  return id
}

/** Open here, or closed by an earlier call. */
async function requireDeparting(db: Db, id: IdentityOrganizationId) {
  const found = (await findOrganization(db, id)) ?? (await findMove(db, id))?.organization
  if (!found) throw new Error(`There is no organization ${id}`)
  return found
}
