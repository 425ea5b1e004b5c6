import { type RawBuilder, sql } from 'kysely'

/** A moment as `Date.toISOString` writes it, of a column of the type timestamptz. */
export function isoTime(moment: RawBuilder<unknown>): RawBuilder<string> {
  return sql`to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}
