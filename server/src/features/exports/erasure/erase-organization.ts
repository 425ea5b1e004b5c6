import { eraseTrail } from '../../../access/audit/audit-retention.ts'
import { forgetOrganizationInSessions } from '../../../access/sessions/session-endings.ts'
import type { ArchiveChapter } from '../../../directory/archive-chapter.ts'
import {
  closeOwnAccounts,
  deleteOrganizationRow,
  endRecovery,
  forgetLastOrganization,
  type LeavingOrganization,
  lockLeaving,
} from '../../../directory/organization-erasure.ts'
import { type OrganizationRef, recoverableSince } from '../../../directory/organizations.ts'
import type { Db, Tx } from '../../../platform/database/database.ts'
import { isForeignKeyViolation } from '../../../platform/database/database-errors.ts'
import { deleteOwnedRows } from '../../../platform/database/owned-rows/delete-owned-rows.ts'
import { transaction } from '../../../platform/database/transaction.ts'
import { type OrganizationId, parseIdentityOrganizationId } from '../../../platform/ids.ts'
import type { ObjectStoragePort } from '../../../ports/object-storage.ts'
import { peopleOf } from '../chapter-rows.ts'
import { eraseFiles } from './erase-files.ts'

export interface EraseNeeds {
  db: Db
  storage: Pick<ObjectStoragePort, 'list' | 'remove' | 'dropParts'>
  chapters: readonly ArchiveChapter[]
  /** How many of its recordings are under legal hold. */
  countHeld(tx: Tx, organization: OrganizationId): Promise<number>
}

export interface ErasedOrganization {
  name: string
  /** How many rows of each table. */
  rows: ReadonlyMap<string, number>
  files: number
  /** How many accounts that were its own were closed. */
  accounts: number
}

/**
 * What nodes are told of access that has ended holds for tokens that others still have: it is gone with its time, within a
 * day. The organization itself is the last to go: by its row a run that was cut off is begun again.
 */
const SPARED = ['ended_access', 'organizations']
/** Each run finds what triggers and running nodes have written during the one before. */
const RUNS_MAX = 20

/**
 * Erases a deleted organization: its files, then its rows, its audit trail among them. Accounts of people stay, and know
 * nothing of it any more. May be run again after it was cut off at any moment; nothing brings the organization back once it
 * has begun.
 * @param wanted isHurried: also where it was deleted within the last 30 days
 * @throws Error with a sentence for the operator where it is not to be erased
 */
export async function eraseOrganization(
  needs: EraseNeeds,
  wanted: { organizationId: string; isHurried: boolean },
  now: Date,
): Promise<ErasedOrganization> {
  const { db, storage, chapters } = needs
  const leaving = await transaction(db, async (tx) => {
    const found = await requireErasable(tx, needs, wanted, now)
    await endRecovery(tx, found.id, now)
    return found
  })
  const closed = await transaction(db, (tx) =>
    closeOwnAccounts(tx, leaving.id, peopleOf(chapters, leaving.id), now),
  )
  const files = await eraseFiles({ db, storage }, leaving, closed, now)
  const rows = await eraseRows(needs, leaving, now)
  return { name: leaving.name, rows, files, accounts: closed.length }
}

async function requireErasable(
  tx: Tx,
  { countHeld }: EraseNeeds,
  { organizationId, isHurried }: { organizationId: string; isHurried: boolean },
  now: Date,
): Promise<LeavingOrganization> {
  const identityId = parseIdentityOrganizationId(organizationId)
  const found = identityId && (await lockLeaving(tx, identityId))
  if (!found) throw new Error(`There is no organization ${organizationId}`)
  if (!found.deletedAt)
    throw new Error(`The organization ${organizationId} is not deleted: one of its admins deletes it first`)
  if (found.isMoving)
    throw new Error(
      `The organization ${organizationId} is on the move: end that first, with atrium organization move confirm or rollback`,
    )
  if (found.deletedAt > recoverableSince(now) && !isHurried)
    throw new Error(
      `The organization ${organizationId} was deleted within the last 30 days, and can be brought back until then: give --now to erase it at once`,
    )
  const held = await countHeld(tx, found.id)
  if (held > 0)
    throw new Error(
      `The organization ${organizationId} has ${held} of its recordings under legal hold: nothing of it is erased before that ends`,
    )
  return found
}

/** Until a run has found nothing, and nothing refers to the organization itself. */
async function eraseRows(
  needs: EraseNeeds,
  organization: OrganizationRef,
  now: Date,
): Promise<Map<string, number>> {
  const all = new Map<string, number>()
  for (let runs = 1; runs <= RUNS_MAX; runs += 1) {
    const deleted = await eraseOnce(needs, organization, now)
    for (const [table, rows] of deleted) all.set(table, (all.get(table) ?? 0) + rows)
    const left = [...deleted.values()].some((rows) => rows > 0)
    if (!left && (await endWith(needs.db, organization.id))) return all
  }
  throw new Error(
    `Rows of the organization ${organization.identityId} are still written. What is there is deleted as far as that: call it again`,
  )
}

async function eraseOnce(
  { db, chapters }: EraseNeeds,
  { id, identityId }: OrganizationRef,
  now: Date,
): Promise<Map<string, number>> {
  const sessions = await forgetOrganizationInSessions(db, id)
  await forgetLastOrganization(db, id)
  const entries = await eraseTrail(db, id, now)
  const rows = await deleteOwnedRows(db, {
    // uploads are by their owner, who may be a person
    values: { organization_id: id, org_id: id, identity_organization_id: identityId, owner: identityId },
    spared: SPARED,
    // as an archive is read, from its end
    order: chapters.map(({ table }) => table).reverse(),
  })
  return new Map([['sessions', sessions], ['audit_entries', entries], ...rows])
}

/** @returns false where something refers to it again */
async function endWith(db: Db, id: OrganizationId): Promise<boolean> {
  try {
    await transaction(db, (tx) => deleteOrganizationRow(tx, id))
    return true
  } catch (error) {
    if (isForeignKeyViolation(error)) return false
    throw error
  }
}
