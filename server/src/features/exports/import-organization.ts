import { sql } from 'kysely'
import { signCutAnew } from '../../access/audit/audit-retention.ts'
import { OPERATOR, recordAudit } from '../../access/audit/audit-trail.ts'
import { verifyAuditTrail } from '../../access/audit/audit-verdict.ts'
import { brokenTrail, isImportOf } from '../../access/audit/imported-trail.ts'
import { type ArchiveChapter, columnsOf, SEQUENCES } from '../../directory/archive-chapter.ts'
import { listBotMembers } from '../../directory/members/members.ts'
import { describeOccupants, lockOccupants } from '../../directory/occupants.ts'
import { findOrganization } from '../../directory/organizations.ts'
import { type ArchiveFile, readArchive } from '../../platform/archive/archive-reader.ts'
import { ArchiveProblem } from '../../platform/archive/tar.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { type OrganizationId, parseIdentityOrganizationId, trusted } from '../../platform/ids.ts'
import type { StatementSigner } from '../../platform/secrets/signed-statement.ts'
import type { ObjectStoragePort } from '../../ports/object-storage.ts'
import { isFileKey, storedKeyOf } from './archive-format.ts'
import { arrivalOf, comparisonOf } from './arrival.ts'
import type { ChapterDigest } from './compare-rows.ts'
import { digestOf } from './move-organization.ts'
import { type ImportNumbers, KEPT_NUMBERS, takeNumbers } from './new-numbers.ts'
import { importOf, type VerifiedArchive, verifyArchive } from './verify-archive.ts'

export interface ImportNeeds {
  db: Db
  storage: Pick<ObjectStoragePort, 'writeStream' | 'remove'>
  chapters: readonly ArchiveChapter[]
  checkpointSigner: StatementSigner
}

export interface ImportedOrganization {
  id: OrganizationId
  organizationId: string
  name: string
  /** The SHA-256 of the archive. */
  receipt: string
  /** Whether an earlier call has brought it from this very archive: nothing was done now. */
  isAgain: boolean
  /** Of all that came back. */
  rows: number
  pictures: number
  files: number
  /** Pictures and files that its rows name, and that are not in the archive. */
  missing: number
  /** How many of its people were found to have an account in this office already: they join after they have signed in here. */
  waiting: number
  /** Chapters that do not come back, with how many rows they have, and why. */
  left: readonly { chapter: string; rows: number; reason: string }[]
  /** Of each chapter that has come back, and was found to be the same here. */
  digests: ReadonlyMap<string, ChapterDigest>
}

const OF_PICTURES = 'public, max-age=31536000, immutable'
const OF_FILES = 'private, max-age=300'

/**
 * Brings an organization from its archive: into an office without people with the numbers that it had, so that everything
 * that names them still holds; into one with people under numbers of this office. All of it, compared with the archive, or
 * nothing. Pictures and files are stored before, where no row names them yet, and removed where the rows are refused. The
 * same archive once more changes nothing: a call that was killed may have brought it.
 * @throws ArchiveProblem, Error with a sentence for the operator
 */
export async function importOrganization(
  needs: ImportNeeds,
  path: string,
  now: Date,
): Promise<ImportedOrganization> {
  const archive = await verifyArchive(path, needs.chapters)
  const { header } = archive
  const receipt = await digestOf(path)
  const { organizationId } = header.organization
  const earlier = await earlierImport(needs.db, organizationId, receipt)
  const { id, waiting } = earlier
    ? { id: earlier, waiting: 0 }
    : await takeIn(needs, { archive, receipt, now })
  const left = needs.chapters.flatMap(({ name, organization }) => {
    const { rows = 0 } = header.chapters.find((chapter) => chapter.name === name) ?? {}
    const imported = organization?.imported
    return imported && 'never' in imported ? [{ chapter: name, rows, reason: imported.never }] : []
  })
  const all = header.chapters.reduce((sum, { rows }) => sum + rows, 0)
  const keys = [...archive.stored.keys()]
  return {
    ...{ id, organizationId, receipt, isAgain: earlier !== undefined },
    name: header.organization.name,
    rows: all - left.reduce((sum, { rows }) => sum + rows, 0),
    pictures: keys.filter((key) => !isFileKey(key)).length,
    files: keys.filter(isFileKey).length,
    missing: archive.missing.length,
    left,
    waiting,
    digests: new Map([...archive.digests].filter(([name]) => !left.some(({ chapter }) => chapter === name))),
  }
}

async function earlierImport(db: Db, text: string, receipt: string): Promise<OrganizationId | undefined> {
  const identityId = parseIdentityOrganizationId(text)
  const found = identityId && (await findOrganization(db, identityId))
  return found && (await isImportOf(db, found.id, receipt)) ? found.id : undefined
}

async function takeIn(
  needs: ImportNeeds,
  arriving: Omit<Import, 'numbers'>,
): Promise<{ id: OrganizationId; waiting: number }> {
  const { header, highest } = arriving.archive
  const isFree = await requireRoom(needs.db, header)
  const numbers = isFree ? KEPT_NUMBERS : await takeNumbers(needs.db, highest)
  const waiting = await storeAll(needs, { ...arriving, numbers })
  return { id: numberedOrganization(header, numbers), waiting }
}

type Header = VerifiedArchive['header']

/** An archive on its way into this office. */
interface Import {
  archive: VerifiedArchive
  receipt: string
  numbers: ImportNumbers
  now: Date
}

function numberedOrganization({ organization }: Header, numbers: ImportNumbers): OrganizationId {
  return trusted.organizationId(numbers.of('organizations', organization.id) ?? organization.id)
}

/** @returns whether the office has no people: then the archive keeps its numbers */
async function requireRoom(db: Db, { organization }: Header): Promise<boolean> {
  const { people, isThere, isTaken } = await describeOccupants(db, organization)
  if (!isThere) return people === 0 && !isTaken
  throw new Error(
    `The organization ${organization.organizationId} is in this office already, or was deleted from it and is not erased yet (atrium organization erase)`,
  )
}

/** @returns how many people have an account here already */
async function storeAll(needs: ImportNeeds, all: Import): Promise<number> {
  try {
    await storeObjects(needs.storage, all)
    return await transaction(needs.db, (tx) => storeRows(tx, needs, all))
  } catch (error) {
    await removeObjects(needs, all)
    throw error
  }
}

async function storeObjects(
  storage: ImportNeeds['storage'],
  { archive, numbers }: Pick<Import, 'archive' | 'numbers'>,
): Promise<void> {
  for await (const entry of readArchive(archive.path)) {
    const key = storedKeyOf(entry.name)
    const contentType = key && archive.stored.get(key)
    if (!contentType) continue
    const cacheControl = isFileKey(key) ? OF_FILES : OF_PICTURES
    await storage.writeStream(numbers.key(key), entry.chunks(), { contentType, cacheControl })
  }
}

/** Keeps them where another import of the same archive has succeeded meanwhile, under the same numbers. */
async function removeObjects({ db, storage }: ImportNeeds, { archive, numbers }: Import): Promise<void> {
  const { isThere } = await describeOccupants(db, archive.header.organization)
  if (isThere && numbers.areKept) return
  await storage.remove([...archive.stored.keys()].map((key) => numbers.key(key)))
}

async function storeRows(
  tx: Tx,
  { chapters, checkpointSigner }: Pick<ImportNeeds, 'chapters' | 'checkpointSigner'>,
  { archive, receipt, numbers, now }: Import,
): Promise<number> {
  // triggers know by it that nothing happens now: they send no events
  await sql`select set_config('atrium.importing', 'on', true), set_config('TimeZone', 'UTC', true),
    set_config('bytea_output', 'hex', true)`.execute(tx)
  if (numbers.areKept) await lockOccupants(tx)
  if (!(await requireRoom(tx, archive.header)) && numbers.areKept)
    throw new Error('Somebody has come into this office meanwhile: import again')
  const byFolder = new Map(chapters.map((chapter) => [chapter.name, chapter]))
  const arrival = arrivalOf(tx, archive, numbers, now)
  const comparison = comparisonOf(tx)
  for await (const entry of readArchive(archive.path)) {
    // files follow the rows: the database ends a transaction that is idle for as long as they take to be passed over
    if (storedKeyOf(entry.name) !== undefined) break
    const chapter = byFolder.get(entry.name.slice(0, entry.name.indexOf('/')))
    if (!chapter || !importOf(chapter)) continue
    const file = await entry.hold()
    const lines = await arrival.linesOf(file, chapter)
    await storePart(tx, chapter, file, lines)
    await comparison.expect(file, chapter, lines)
  }
  if (numbers.areKept) for (const chapter of chapters) await continueSequence(tx, chapter)
  const organization = numberedOrganization(archive.header, numbers)
  await comparison.require({ kind: 'organization', organization, chapters })
  const waiting = await arrival.end(organization)
  await refuseBotsInCharge(tx, organization)
  const { brokenAt } = await verifyAuditTrail(tx, organization)
  if (brokenAt !== undefined) throw brokenTrail(brokenAt)
  await signCutAnew(tx, checkpointSigner, organization, now)
  await recordAudit(tx, organization, OPERATOR, now, {
    action: 'organization.imported',
    target: { kind: 'organization', id: archive.header.organization.organizationId },
    detail: { madeAt: archive.header.madeAt, archive: receipt },
  })
  return waiting
}

/** A bot is a member and nothing more, whatever an archive says: its token would do what its role may. */
async function refuseBotsInCharge(tx: Tx, organization: OrganizationId): Promise<void> {
  const inCharge = (await listBotMembers(tx, organization)).find(({ role }) => role !== 'member')
  if (inCharge)
    throw new ArchiveProblem(
      `The bot ${inCharge.id} of the archive is an ${inCharge.role}: no bot may be that`,
    )
}

/** @throws ArchiveProblem with the line that the database has refused */
async function storePart(
  tx: Tx,
  chapter: ArchiveChapter,
  file: ArchiveFile,
  lines: readonly string[],
): Promise<void> {
  await sql`savepoint part`.execute(tx)
  const refused = await storeLines(tx, chapter, lines)
  if (!refused) return void (await sql`release savepoint part`.execute(tx))
  // nothing of the archive stays: only which line it is, is asked for
  await sql`rollback to savepoint part`.execute(tx)
  for (const [index, line] of lines.entries()) {
    const cause = await storeLines(tx, chapter, [line])
    if (cause) throw refusalOf(`${file.name}, line ${index + 1}`, cause)
  }
  throw refusalOf(file.name, refused)
}

function refusalOf(place: string, cause: Error): ArchiveProblem {
  return new ArchiveProblem(`${place}: it cannot be stored: ${cause.message}`, { cause })
}

/** @returns why the database has refused them, where it has: nothing more can be done in the transaction then */
async function storeLines(
  tx: Tx,
  chapter: ArchiveChapter,
  lines: readonly string[],
): Promise<Error | undefined> {
  const { complete, filled = {} } = importOf(chapter) ?? {}
  const added = complete ? Object.keys(JSON.parse(lines[0] ?? '{}')) : []
  const names = [...new Set([...columnsOf(chapter, 'organization'), ...added])]
  const columns = names.map((name) => sql.ref(name))
  const values = names.map((name) => filled[name] ?? sql.ref(`r.${name}`))
  try {
    await sql`insert into ${sql.table(chapter.table)} (${sql.join(columns)}) overriding system value
      select ${sql.join(values)}
      from json_populate_recordset(null::${sql.table(chapter.table)}, ${`[${lines.join(',')}]`}::json) as r`.execute(
      tx,
    )
    return undefined
  } catch (cause) {
    if (!isOfRows(cause)) throw cause
    return cause as Error
  }
}

async function continueSequence(tx: Tx, chapter: ArchiveChapter): Promise<void> {
  const sequence = importOf(chapter)?.sequence
  if (!sequence) return
  await sql`select setval(${SEQUENCES[sequence.of]}::regclass, max(${sql.ref(sequence.column)}))
    from ${sql.table(chapter.table)} having max(${sql.ref(sequence.column)}) is not null`.execute(tx)
}

/** Whether the database has refused the rows, and not the work: states of data and of constraints. */
function isOfRows(error: unknown): boolean {
  return /^2[23]/.test(String((error as { code?: unknown }).code))
}
