import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { OPERATOR, recordAudit } from '../../access/audit/audit-trail.ts'
import { deactivateOrganization } from '../../access/sessions/session-endings.ts'
import type { ArchiveChapter } from '../../directory/archive-chapter.ts'
import { listMemberIds, lockMembers } from '../../directory/members/members.ts'
import {
  endMove,
  findMove,
  hideMoved,
  type Move,
  noteArchiveOfMove,
  takeMoveBack,
} from '../../directory/moves.ts'
import { nameOrganization, type OrganizationRef } from '../../directory/organizations.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { listOpenTransactions } from '../../platform/database/server-facts.ts'
import { transaction } from '../../platform/database/transaction.ts'
import type { IdentityOrganizationId } from '../../platform/ids.ts'
import { type BuildNeeds, buildArchive, inOneMoment } from './build-archive.ts'
import type { Archived } from './chapter-rows.ts'
import { type ChapterDigest, requireSameRows } from './compare-rows.ts'
import { verifyArchive } from './verify-archive.ts'

export interface MoveNeeds extends BuildNeeds {
  clock: Clock
  chapters: readonly ArchiveChapter[]
}

export interface Departure {
  organization: OrganizationRef
  /** The address of the other office. */
  to: string
  path: string
  /** How long requests that have begun may still take, on all nodes, in milliseconds. */
  settleMs: number
  /** How long transactions may still take that are open then, in milliseconds. */
  patienceMs: number
  /** Whether it goes without pictures and files that the store does not have. */
  acceptsMissing: boolean
}

/** What an organization leaves with. */
export interface Departed {
  /** What each chapter of the archive has. */
  digests: ReadonlyMap<string, ChapterDigest>
  /** Keys of pictures and files that the archive does not have. */
  missing: readonly string[]
}

const LOOK_MS = 100
/** How many keys are named to the operator. */
const NAMED_MAX = 5

/**
 * Closes an organization and writes its archive. What was acknowledged before is in it: requests and transactions that had
 * begun have ended by the time that it is read. Where the archive cannot be written, or a transaction does not end, the
 * organization is open again. Once it is closed, the same call waits alike and writes the archive anew.
 * The archive is read back, as the other office will, and compared with what is here: where they differ, it is open again too,
 * and so it is where a picture or file is missing in the store, unless that is accepted.
 * @throws Error with a sentence for the operator
 */
export async function switchAway(needs: MoveNeeds, departure: Departure): Promise<Departed> {
  const { db, clock, storage, chapters } = needs
  const { organization, path } = departure
  const begun = await findMove(db, organization.identityId)
  if (!begun) await close(needs, departure)
  try {
    await sleep(departure.settleMs)
    await awaitTransactions(db, departure.patienceMs)
    const { name } = await nameOrganization(db, organization.id)
    const about = { organization: { id: organization.id, organizationId: organization.identityId, name } }
    const archived = { kind: 'organization' as const, organization: organization.id, chapters }
    const signal = new AbortController().signal
    const build = { archived, about, path, now: clock.now(), signal, onProgress: async () => {} }
    const { missing } = await buildArchive({ db, storage }, build)
    if (!departure.acceptsMissing) refuseMissing(missing)
    const digests = await compareArchive(db, archived, path)
    await noteArchiveOfMove(db, organization.id, await digestOf(path))
    return { digests, missing }
  } catch (error) {
    if (!begun) await takeBack(needs, organization.identityId)
    throw error
  }
}

/** Once the move has ended they would be in neither office. */
function refuseMissing(missing: readonly string[]): void {
  if (missing.length === 0) return
  const more = missing.length > NAMED_MAX ? ', …' : ''
  throw new Error(
    `The object storage does not have ${missing.length} of the pictures and files of the organization: ${missing.slice(0, NAMED_MAX).join(', ')}${more}. Put them back, or leave them behind with --accept-missing`,
  )
}

/** @throws Error, ArchiveProblem where it is not what is here */
async function compareArchive(
  db: Db,
  archived: Archived,
  path: string,
): Promise<ReadonlyMap<string, ChapterDigest>> {
  const { digests } = await verifyArchive(path, archived.chapters)
  await inOneMoment(db, async (tx) => {
    for (const chapter of archived.chapters) {
      const expected = digests.get(chapter.name)
      if (expected) await requireSameRows(tx, archived, chapter, expected)
    }
  })
  return digests
}

/** Waits for the transactions that are open now; what begins later finds the organization closed. */
async function awaitTransactions(db: Db, patienceMs: number): Promise<void> {
  const begun = new Set((await listOpenTransactions(db)).map(({ id }) => id))
  const until = performance.now() + patienceMs
  for (;;) {
    const open = (await listOpenTransactions(db)).filter(({ id }) => begun.has(id))
    if (open.length === 0) return
    if (performance.now() >= until) {
      const names = open.map(({ process, program }) => `process ${process} (${program || 'no name'})`)
      throw new Error(
        `Transactions of the database have not ended within ${patienceMs / 1_000} seconds: ${names.join(', ')}. No archive was written: call it again when they have ended, or end them`,
      )
    }
    await sleep(LOOK_MS)
  }
}

async function close({ db, clock }: MoveNeeds, { organization, to }: Departure): Promise<void> {
  const now = clock.now()
  await transaction(db, async (tx) => {
    if (!(await lockMembers(tx, organization.id)))
      throw new Error(`There is no organization ${organization.identityId}`)
    const people = await listMemberIds(tx, organization.id)
    await hideMoved(tx, organization.id, to, now)
    await deactivateOrganization(
      tx,
      organization.id,
      people.map(({ id }) => id),
    )
    await recordAudit(tx, organization.id, OPERATOR, now, {
      action: 'organization.deleted',
      target: { kind: 'organization', id: organization.identityId },
      detail: { movedTo: to },
    })
  })
}

/** Opens the organization again, with all that it had. @throws Error where it has not moved */
export async function takeBack(
  { db, clock }: Pick<MoveNeeds, 'db' | 'clock'>,
  identityId: IdentityOrganizationId,
): Promise<void> {
  await transaction(db, async (tx) => {
    const { organization } = await requireMove(tx, identityId)
    await takeMoveBack(tx, organization.id)
    await recordAudit(tx, organization.id, OPERATOR, clock.now(), {
      action: 'organization.restored',
      target: { kind: 'organization', id: identityId },
    })
  })
}

/**
 * Ends a move: from then on the organization is a deleted one here.
 * @param receipt what the other office has said when it took the archive
 * @throws Error where it took another one
 */
export async function confirmMove(
  { db, clock }: Pick<MoveNeeds, 'db' | 'clock'>,
  identityId: IdentityOrganizationId,
  receipt: string,
): Promise<void> {
  await transaction(db, async (tx) => {
    const { organization, archiveDigest } = await requireMove(tx, identityId)
    if (archiveDigest === undefined || receipt !== archiveDigest)
      throw new Error('The other office has taken another archive: this is not the receipt of the last one')
    await endMove(tx, organization.id, clock.now())
  })
}

async function requireMove(db: Db, identityId: IdentityOrganizationId): Promise<Move> {
  const move = await findMove(db, identityId)
  if (!move) throw new Error(`The organization ${identityId} is not on the move`)
  return move
}

/** Of an archive as a file: what one office has written, and another one has read. */
export async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return hash.digest('hex')
}
