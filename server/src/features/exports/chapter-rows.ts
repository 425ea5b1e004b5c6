import { type RawBuilder, sql } from 'kysely'
import { type ArchiveChapter, type ArchivedPerson, columnsOf } from '../../directory/archive-chapter.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { OrganizationId } from '../../platform/ids.ts'
import { KEY_COLUMNS } from './archive-format.ts'

/** The organization or person of an archive, and the chapters that there are. */
export type Archived = (
  | { kind: 'organization'; organization: OrganizationId }
  | { kind: 'person'; person: ArchivedPerson }
) & { chapters: readonly ArchiveChapter[] }

/** Of one fetch, where a chapter says nothing else: 4,000 characters are the longest message. */
const FETCH_ROWS = 500

/** The chapters of this kind of archive. */
export function chaptersOf({ kind, chapters }: Archived): ArchiveChapter[] {
  return chapters.filter((chapter) => chapter[kind] !== undefined)
}

export async function countRows(tx: Tx, archived: Archived, chapter: ArchiveChapter): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    select count(*) as count from (${statementOf(archived, chapter)}) as r`.execute(tx)
  return Number(rows[0]?.count)
}

/** The rows of a chapter, each as a line of JSON. No more than one fetch is held in memory. */
export async function* readRows(
  tx: Tx,
  archived: Archived,
  chapter: ArchiveChapter,
): AsyncGenerator<string[]> {
  await sql`declare archive no scroll cursor for
    select row_to_json(r)::text as line from (${statementOf(archived, chapter)}) as r`.execute(tx)
  const atOnce = chapter.rowsAtOnce ?? FETCH_ROWS
  for (;;) {
    const { rows } = await sql<{ line: string }>`fetch forward ${sql.lit(atOnce)} from archive`.execute(tx)
    if (rows.length > 0) yield rows.map(({ line }) => line)
    if (rows.length < atOnce) break
  }
  await sql`close archive`.execute(tx)
}

/** Pictures and files that the rows of an archive name. */
export async function readStoredKeys(tx: Tx, archived: Archived): Promise<string[]> {
  const keys: string[] = []
  for (const chapter of chaptersOf(archived)) {
    const named = columnsOf(chapter, archived.kind)
    for (const column of KEY_COLUMNS.filter((one) => named.includes(one))) {
      const { rows } = await sql<{ key: string }>`
        select ${sql.ref(column)} as key from (${statementOf(archived, chapter)}) as r
        where ${sql.ref(column)} is not null`.execute(tx)
      for (const { key } of rows) keys.push(key)
    }
  }
  return keys
}

function statementOf(archived: Archived, chapter: ArchiveChapter): RawBuilder<unknown> {
  const { shown, where } = selectionOf(archived, chapter)
  const columns = columnsOf(chapter, archived.kind).map((column) => {
    const instead = shown[column]
    return instead ? sql`${instead} as ${sql.ref(column)}` : sql.ref(`t.${column}`)
  })
  const order = chapter.order.map((column) => sql.ref(`t.${column}`))
  return sql`select ${sql.join(columns)} from ${sql.table(chapter.table)} as t where ${where} order by ${sql.join(order)}`
}

function selectionOf(archived: Archived, chapter: ArchiveChapter) {
  const part = chapter[archived.kind]
  if (!part) throw new Error(`the archive of this kind has no chapter ${chapter.name}`)
  if (archived.kind === 'person') {
    const { person } = archived
    return { where: chapter.person?.where(person), shown: chapter.person?.shown?.(person) ?? {} }
  }
  const { organization } = archived
  const where = chapter.organization?.where(organization, peopleOf(archived.chapters, organization))
  return { where, shown: chapter.organization?.shown?.(organization) ?? {} }
}

/** The ids of all users that rows of an organization's archive name. */
export function peopleOf(
  chapters: readonly ArchiveChapter[],
  organization: OrganizationId,
): RawBuilder<unknown> {
  const named = chapters.flatMap(({ table, organization: part }) =>
    (part?.people ?? []).map(
      (column) =>
        sql`select ${sql.ref(`named.${column}`)} from ${sql.table(table)} as named
          where ${sql.ref(`named.${part?.organizationColumn}`)} = ${organization}`,
    ),
  )
  return sql.join(named, sql` union `)
}
