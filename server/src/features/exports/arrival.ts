import { sql } from 'kysely'
import { importedTrail } from '../../access/audit/imported-trail.ts'
import { type ArchiveChapter, type ArchivedRow, columnsOf } from '../../directory/archive-chapter.ts'
import { keepWaiting, settleNames, type Waiting } from '../../directory/imported-accounts.ts'
import type { ArchiveFile } from '../../platform/archive/archive-reader.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { OrganizationId } from '../../platform/ids.ts'
import type { Archived } from './chapter-rows.ts'
import { type RowsDigest, requireSameRows, rowsDigest } from './compare-rows.ts'
import { type ImportNumbers, renumberedRow } from './new-numbers.ts'
import { importOf, linesOf, rowsOf, type VerifiedArchive } from './verify-archive.ts'

export interface Arrival {
  /** The lines of a part as this office stores them. */
  linesOf(file: ArchiveFile, chapter: ArchiveChapter): Promise<readonly string[]>
  /** Once all rows are stored. @returns how many people have an account here already */
  end(organization: OrganizationId): Promise<number>
}

/** Takes rows of an archive into this office, part by part, in their order. */
export function arrivalOf(
  tx: Tx,
  { cut }: Pick<VerifiedArchive, 'cut'>,
  numbers: ImportNumbers,
  now: Date,
): Arrival {
  const trail = importedTrail(cut, numbers)
  const waiting: Waiting[] = []

  const renumbered = async (rows: readonly ArchivedRow[], chapter: ArchiveChapter) => {
    if (chapter.table === 'audit_heads') return rows.map((row) => trail.end(row))
    const next = rows.map((row) => renumberedRow(row, chapter, numbers))
    if (chapter.table !== 'users') return next
    const settled = await settleNames(tx, next, now)
    waiting.push(...settled.waiting)
    return settled.rows
  }
  return {
    async linesOf(file, chapter) {
      const { complete = (row: ArchivedRow) => row } = importOf(chapter) ?? {}
      if (numbers.areKept)
        // as they were written, where nothing is added: the audit trail is hashed as it stands
        return importOf(chapter)?.complete
          ? rowsOf(file, chapter).map((row) => JSON.stringify(complete(row)))
          : linesOf(file)
      if (chapter.table === 'audit_entries') return await trail.continue(tx, linesOf(file))
      const rows = await renumbered(rowsOf(file, chapter), chapter)
      return rows.map((row) => JSON.stringify(complete(row)))
    },
    async end(organization) {
      await keepWaiting(tx, organization, waiting, now)
      return waiting.length
    },
  }
}

export interface Comparison {
  /** Notes what the rows of a part are to be here: `lines` are those that are stored. */
  expect(file: ArchiveFile, chapter: ArchiveChapter, lines: readonly string[]): Promise<void>
  /** Once all rows are stored. @throws Error where a chapter of this office has other rows than these */
  require(archived: Archived): Promise<void>
}

/**
 * Compares an office with the archive that it has taken in, chapter by chapter, as an export reads it: a row that was left
 * out, doubled, cut short or changed on its way (by a trigger, a default) is found before anything is committed.
 */
export function comparisonOf(tx: Tx): Comparison {
  const expected = new Map<string, RowsDigest>()
  const people = new Set<unknown>()
  return {
    async expect(file, chapter, lines) {
      if (isOfSeveral(chapter)) for (const line of lines) people.add(JSON.parse(line).id)
      const shown = importOf(chapter)?.complete ? hiddenAlike(rowsOf(file, chapter), lines) : lines
      const digest = expected.get(chapter.name) ?? rowsDigest()
      expected.set(chapter.name, digest)
      digest.add(await storedForm(tx, chapter, shown))
    },
    async require(archived) {
      for (const chapter of archived.chapters.filter(importOf)) {
        const part = chapter.organization
        // people whom only chapters name that do not come along are here, and would not be exported
        const chosen =
          part && isOfSeveral(chapter)
            ? { ...chapter, organization: { ...part, where: () => sql<boolean>`t.id = any(${[...people]})` } }
            : chapter
        await requireSameRows(tx, archived, chosen, (expected.get(chapter.name) ?? rowsDigest()).read())
      }
    },
  }
}

/** Whether its rows, people, may be of several organizations. */
const isOfSeveral = ({ organization }: ArchiveChapter) => organization?.organizationColumn === ''

/** What the archive does not show is not shown here either. */
function hiddenAlike(rows: readonly ArchivedRow[], lines: readonly string[]): string[] {
  return lines.map((line, index) => {
    const stored = JSON.parse(line) as ArchivedRow
    const entries = Object.entries(rows[index] ?? {})
    return JSON.stringify(
      Object.fromEntries(entries.map(([column, value]) => [column, value === null ? null : stored[column]])),
    )
  })
}

/** Lines as the database writes them, for what it makes of each value. */
async function storedForm(tx: Tx, chapter: ArchiveChapter, lines: readonly string[]): Promise<string[]> {
  const filled = importOf(chapter)?.filled ?? {}
  const values = columnsOf(chapter, 'organization').map((name) => {
    const column = sql.ref(`r.${name}`)
    const instead = filled[name]
    return instead
      ? sql`case when ${column} is not null then ${instead} end as ${sql.ref(name)}`
      : sql`${column}`
  })
  const { rows } = await sql<{ line: string }>`
    select row_to_json(x)::text as line from (
      select ${sql.join(values)} from json_populate_recordset(null::${sql.table(chapter.table)}, ${`[${lines.join(',')}]`}::json) as r
    ) as x`.execute(tx)
  return rows.map(({ line }) => line)
}
