import { sql } from 'kysely'
import { signCutAnew } from '../../access/audit/audit-retention.ts'
import { OPERATOR, recordAudit } from '../../access/audit/audit-trail.ts'
import { verifyAuditTrail } from '../../access/audit/audit-verdict.ts'
import { type ArchiveChapter, columnsOf } from '../../directory/archive-chapter.ts'
import { listBotMembers } from '../../directory/members/members.ts'
import { describeOccupants, lockOccupants } from '../../directory/occupants.ts'
import { type ArchiveFile, readArchive } from '../../platform/archive/archive-reader.ts'
import { ArchiveProblem } from '../../platform/archive/tar.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { type OrganizationId, trusted } from '../../platform/ids.ts'
import type { StatementSigner } from '../../platform/secrets/signed-statement.ts'
import type { ObjectStoragePort } from '../../ports/object-storage.ts'
import { isFileKey, storedKeyOf } from './archive-format.ts'
import { importOf, linesOf, rowsOf, type VerifiedArchive, verifyArchive } from './verify-archive.ts'

export interface ImportNeeds {
  db: Db
  storage: Pick<ObjectStoragePort, 'write' | 'remove'>
  chapters: readonly ArchiveChapter[]
  checkpointSigner: StatementSigner
}

export interface ImportedOrganization {
  id: OrganizationId
  organizationId: string
  name: string
  /** Of all that came back. */
  rows: number
  pictures: number
  files: number
  /** Chapters that do not come back, with how many rows they have, and why. */
  left: readonly { chapter: string; rows: number; reason: string }[]
}

const OF_PICTURES = 'public, max-age=31536000, immutable'
const OF_FILES = 'private, max-age=300'

/**
 * Brings an organization back from its archive, into an office without users: with the ids that it had, so that
 * everything that names them still holds. All of it, or nothing. Pictures and files are stored before, where no row names them
 * yet, and removed where the rows are refused.
 * @throws ArchiveProblem, Error with a sentence for the operator
 */
export async function importOrganization(
  needs: ImportNeeds,
  path: string,
  now: Date,
): Promise<ImportedOrganization> {
  const archive = await verifyArchive(path, needs.chapters)
  await refuseOccupied(needs.db, archive)
  try {
    await storeObjects(needs.storage, archive)
    await transaction(needs.db, (tx) => storeRows(tx, needs, archive, now))
  } catch (error) {
    await removeObjects(needs, archive)
    throw error
  }
  const { header, stored } = archive
  const left = needs.chapters.flatMap(({ name, organization }) => {
    const { rows = 0 } = header.chapters.find((chapter) => chapter.name === name) ?? {}
    const imported = organization?.imported
    return imported && 'never' in imported ? [{ chapter: name, rows, reason: imported.never }] : []
  })
  const all = header.chapters.reduce((sum, { rows }) => sum + rows, 0)
  return {
    id: trusted.organizationId(header.organization.id),
    organizationId: header.organization.organizationId,
    name: header.organization.name,
    rows: all - left.reduce((sum, { rows }) => sum + rows, 0),
    pictures: [...stored.keys()].filter((key) => !isFileKey(key)).length,
    files: [...stored.keys()].filter(isFileKey).length,
    left,
  }
}

async function refuseOccupied(db: Db, { header }: VerifiedArchive): Promise<void> {
  const { organizationId } = header.organization
  const { people, isThere, isTaken } = await describeOccupants(db, header.organization)
  if (isThere) throw new Error(`The organization ${organizationId} is in this office already`)
  const why = 'An archive is imported into an office of its own, for it brings its ids along.'
  if (people > 0) throw new Error(`This office is not empty: people have signed up in it (${people}). ${why}`)
  if (isTaken)
    throw new Error(
      `The organization of the sandbox has its id. Import into an office before it is opened. ${why}`,
    )
}

async function storeObjects(storage: ImportNeeds['storage'], archive: VerifiedArchive): Promise<void> {
  for await (const { name, bytes } of readArchive(archive.path)) {
    const key = storedKeyOf(name)
    const contentType = key && archive.stored.get(key)
    if (!contentType) continue
    await storage.write(key, bytes, { contentType, cacheControl: isFileKey(key) ? OF_FILES : OF_PICTURES })
  }
}

/** Keeps them where another import of the same archive has succeeded meanwhile. */
async function removeObjects({ db, storage }: ImportNeeds, archive: VerifiedArchive): Promise<void> {
  const { isThere } = await describeOccupants(db, archive.header.organization)
  if (!isThere) await storage.remove([...archive.stored.keys()])
}

async function storeRows(
  tx: Tx,
  { chapters, checkpointSigner }: Omit<ImportNeeds, 'db'>,
  archive: VerifiedArchive,
  now: Date,
): Promise<void> {
  // triggers know by it that nothing happens now: they send no events
  await sql`select set_config('atrium.importing', 'on', true), set_config('TimeZone', 'UTC', true)`.execute(
    tx,
  )
  await lockOccupants(tx)
  await refuseOccupied(tx, archive)
  const byFolder = new Map(chapters.map((chapter) => [chapter.name, chapter]))
  for await (const file of readArchive(archive.path)) {
    const chapter = byFolder.get(file.name.slice(0, file.name.indexOf('/')))
    if (chapter && importOf(chapter)) await storePart(tx, chapter, file)
  }
  for (const chapter of chapters) await continueSequence(tx, chapter)
  const organization = trusted.organizationId(archive.header.organization.id)
  await refuseBotsInCharge(tx, organization)
  const { brokenAt } = await verifyAuditTrail(tx, organization)
  if (brokenAt !== undefined)
    throw new ArchiveProblem(
      `The audit trail of the archive is not as it was written: look at entry ${brokenAt}`,
    )
  await signCutAnew(tx, checkpointSigner, organization, now)
  await recordAudit(tx, organization, OPERATOR, now, {
    action: 'organization.imported',
    target: { kind: 'organization', id: archive.header.organization.organizationId },
    detail: { madeAt: archive.header.madeAt },
  })
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
async function storePart(tx: Tx, chapter: ArchiveChapter, file: ArchiveFile): Promise<void> {
  const complete = importOf(chapter)?.complete
  // as they were written, where nothing is added: the audit trail is hashed as it stands
  const lines = complete ? rowsOf(file, chapter).map((row) => JSON.stringify(complete(row))) : linesOf(file)
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
  await sql`select setval(${sequence.name}::regclass, max(${sql.ref(sequence.column)}))
    from ${sql.table(chapter.table)} having max(${sql.ref(sequence.column)}) is not null`.execute(tx)
}

/** Whether the database has refused the rows, and not the work: states of data and of constraints. */
function isOfRows(error: unknown): boolean {
  return /^2[23]/.test(String((error as { code?: unknown }).code))
}
