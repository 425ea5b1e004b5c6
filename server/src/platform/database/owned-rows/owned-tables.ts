import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../database.ts'

/** The rows of one owner: in whichever table there is a column of such a name, those that hold this in it. */
export interface OwnedRows {
  /** By column. Of a table with several of them the first counts. */
  values: Readonly<Record<string, string>>
  /** Tables that are left alone. */
  spared: readonly string[]
  /** In which order tables are emptied, as far as their foreign keys leave it open; those not named come first. */
  order: readonly string[]
}

export interface OwnedTable {
  name: string
  column: string
  /** Whether an index leads to the rows of one owner. */
  isIndexed: boolean
  pages: number
  /** Tables that its rows refer to. */
  parents: string[]
  /** How its rows refer to one another: these columns to those. */
  within: { from: string[]; to: string[] } | null
}

/**
 * Every table with rows of owners, by the catalogue of the database: a table that is new is among them. What refers to
 * others comes before them.
 */
export async function listOwnedTables(db: Db, { values, spared, order }: OwnedRows): Promise<OwnedTable[]> {
  const columns = Object.keys(values)
  const { rows } = await sql<OwnedTable>`
    select t.relname::text as name, owner.attname::text as column,
      exists (select from pg_index i where i.indrelid = t.oid and i.indkey[0] = owner.attnum
        and i.indpred is null) as "isIndexed",
      (pg_relation_size(t.oid) / current_setting('block_size')::bigint)::int as pages,
      array(select p.relname::text from pg_constraint f join pg_class p on p.oid = f.confrelid
        where f.contype = 'f' and f.conrelid = t.oid and f.confrelid <> t.oid) as parents,
      (select json_build_object('from', ${namesOf('conkey')}, 'to', ${namesOf('confkey')})
        from pg_constraint f where f.contype = 'f' and f.conrelid = t.oid and f.confrelid = t.oid limit 1) as within
    from pg_class t cross join lateral (
      select a.attname, a.attnum from pg_attribute a
      where a.attrelid = t.oid and a.attname = any(${columns}::text[]) and not a.attisdropped
      order by array_position(${columns}::text[], a.attname::text) limit 1) as owner
    where t.relnamespace = 'public'::regnamespace and t.relkind = 'r' and t.relname <> all(${[...spared]}::text[])
    order by t.relname`.execute(db)
  return inOrder(rows, order)
}

/** Of a foreign key `f` of the table `t` to itself. */
function namesOf(key: 'conkey' | 'confkey'): RawBuilder<unknown> {
  return sql`array(select a.attname from unnest(${sql.ref(`f.${key}`)}) with ordinality as k (number, place)
    join pg_attribute a on a.attrelid = t.oid and a.attnum = k.number order by k.place)`
}

function inOrder(tables: readonly OwnedTable[], order: readonly string[]): OwnedTable[] {
  const ordered = new Set<OwnedTable>()
  const visited = new Set<OwnedTable>()
  const visit = (table: OwnedTable) => {
    if (visited.has(table)) return
    visited.add(table)
    for (const one of tables) if (one.parents.includes(table.name)) visit(one)
    ordered.add(table)
  }
  for (const table of tables.toSorted((a, b) => order.indexOf(a.name) - order.indexOf(b.name))) visit(table)
  return [...ordered]
}
