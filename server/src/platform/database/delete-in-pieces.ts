import { type RawBuilder, sql } from 'kysely'
import type { Db, Tables } from './database.ts'

const PIECE_ROWS = 5_000

/**
 * Deletes every row for which a condition holds, some thousands at a time and each time for good: what has piled up so
 * high that one statement would not come to its end in time goes all the same.
 * @param condition of the row's own columns; may be asked of the same row more than once
 * @param pieceRows how many at a time
 */
export async function deleteInPieces(
  db: Db,
  table: keyof Tables & string,
  condition: RawBuilder<unknown>,
  pieceRows = PIECE_ROWS,
): Promise<void> {
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      delete from ${sql.table(table)} where ctid = any(array(
        select ctid from ${sql.table(table)} where ${condition} limit ${pieceRows}))`.execute(db)
    if (numAffectedRows < BigInt(pieceRows)) return
  }
}
