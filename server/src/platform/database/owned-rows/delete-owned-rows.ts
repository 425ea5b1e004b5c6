import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../database.ts'
import { transaction } from '../transaction.ts'
import { listOwnedTables, type OwnedRows, type OwnedTable } from './owned-tables.ts'

const PIECE_ROWS = 5_000
/** Of 8 KiB. */
const PIECE_PAGES = 2_000

/**
 * Deletes the rows of one owner from every table, each before those that it refers to, piece by piece and each piece for
 * good: no statement is long, and a run that was cut off is simply run again. What triggers write meanwhile is for the
 * next run: until one has found nothing.
 * @returns how many rows of each table; those that went by a cascade are not counted
 */
export async function deleteOwnedRows(db: Db, owned: OwnedRows): Promise<Map<string, number>> {
  const deleted = new Map<string, number>()
  for (const table of await listOwnedTables(db, owned)) {
    const rows = await deleteFrom(db, table, owned.values[table.column] ?? '')
    if (rows > 0) deleted.set(table.name, rows)
  }
  return deleted
}

async function deleteFrom(db: Db, table: OwnedTable, value: string): Promise<number> {
  const isOwned = sql`t.${sql.id(table.column)} = ${value} ${unreferred(table)}`
  for (let total = 0; ; ) {
    const rows = await (table.isIndexed ? byRows(db, table, isOwned) : byPages(db, table, isOwned))
    total += rows
    // rows that others of the table refer to are free once those have gone
    if (rows === 0 || !table.within) return total
  }
}

function unreferred({ name, within }: OwnedTable): RawBuilder<unknown> {
  if (!within) return sql``
  const { from, to } = within
  const same = from.map((column, place) => sql`other.${sql.id(column)} = t.${sql.id(to[place] ?? '')}`)
  return sql`and not exists (select from ${sql.table(name)} as other where ${sql.join(same, sql` and `)})`
}

async function byRows(db: Db, { name }: OwnedTable, isOwned: RawBuilder<unknown>): Promise<number> {
  for (let total = 0; ; ) {
    const rows = await deleteWhere(
      db,
      name,
      sql`t.ctid = any(array(select t.ctid from ${sql.table(name)} as t where ${isOwned} limit ${PIECE_ROWS}))`,
    )
    total += rows
    if (rows < PIECE_ROWS) return total
  }
}

/** Without an index each page is read once, of this owner or not: a search from the beginning for each piece is not. */
async function byPages(db: Db, { name, pages }: OwnedTable, isOwned: RawBuilder<unknown>): Promise<number> {
  let total = 0
  for (let first = 0; first < pages; first += PIECE_PAGES) {
    const [from, to] = [`(${first},0)`, `(${first + PIECE_PAGES},0)`]
    total += await deleteWhere(db, name, sql`t.ctid >= ${from}::tid and t.ctid < ${to}::tid and ${isOwned}`)
  }
  return total
}

async function deleteWhere(db: Db, name: string, condition: RawBuilder<unknown>): Promise<number> {
  return await transaction(db, async (tx) => {
    const { numAffectedRows = 0n } = await sql`
      delete from ${sql.table(name)} as t where ${condition}`.execute(tx)
    return Number(numAffectedRows)
  })
}
