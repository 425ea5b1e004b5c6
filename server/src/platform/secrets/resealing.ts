import { sql } from 'kysely'
import type { Db } from '../database/database.ts'
import { reseal, UnsealError } from './sealed-column.ts'
import type { Resealing, SealedPlace } from './sealed-place.ts'

/** How much of a place one key has sealed. */
export interface SealedCount {
  /** As in `SealingKey.kid`; empty: what is there is no sealed value. */
  keyId: string
  /** The setting of the key; undefined: no key that is set opens these. */
  setting: KeySetting | undefined
  count: number
  /** When the last of them ends by itself; null: never. */
  until: Date | null
}

/** `previous 1` is the first in the list. */
export type KeySetting = 'current' | 'next' | `previous ${number}`

export interface Resealed {
  /** Values that are sealed with the current key now. */
  done: number
  /** Values that a key of ours has sealed and that do not open all the same: changed, or carried here from another row. */
  unopenable: number
}

const BATCH = 100

/** Which keys have sealed what is in a place, the commonest first. */
export async function countSealed(db: Db, place: SealedPlace): Promise<SealedCount[]> {
  const { rows } = await sql<Pick<SealedCount, 'keyId' | 'count' | 'until'>>`
    select key_id as "keyId", count(*)::int as count, max(ends_at) as until
    from (select ${place.keyId} as key_id, ${place.endsAt ?? sql`null::timestamptz`} as ends_at
      from ${sql.table(place.table)}) sealed
    where key_id is not null and (ends_at is null or ends_at > now())
    group by key_id order by count(*) desc`.execute(db)
  return rows.map((row) => ({ ...row, setting: settingOf(place, row.keyId) }))
}

function settingOf({ ring }: SealedPlace, keyId: string): KeySetting | undefined {
  if (ring.current.kid === keyId) return 'current'
  if (ring.next.some(({ kid }) => kid === keyId)) return 'next'
  const at = ring.previous.findIndex(({ kid }) => kid === keyId)
  return at < 0 ? undefined : `previous ${at + 1}`
}

/**
 * Seals with the current key what a former one has sealed. Values are read as they are: a change meanwhile wins.
 * Nothing is lost by stopping, nor by two nodes that do it at once.
 */
export async function resealPlace(db: Db, place: SealedPlace, signal: AbortSignal): Promise<Resealed> {
  const told: Resealed = { done: 0, unopenable: 0 }
  const former = place.ring.previous.map(({ kid }) => kid)
  if (!place.reseal || former.length === 0) return told
  // in the order of their keys: what stays as it is lies behind, however much that is
  let last: SealedRow | undefined
  while (!signal.aborted) {
    const batch = await readBatch(db, place, place.reseal, former, last)
    last = batch.at(-1)
    for (const row of batch) {
      const outcome = await resealRow(db, place, place.reseal, row)
      if (outcome === 'done') told.done += 1
      if (outcome === 'unopenable') told.unopenable += 1
    }
    if (batch.length < BATCH) break
  }
  return told
}

interface SealedRow {
  /** The key columns, as JSON. */
  at: string
  sealed: Buffer
  key: Record<string, unknown>
}

async function readBatch(
  db: Db,
  place: SealedPlace,
  { key, sealed, unlessHeld }: Resealing,
  former: readonly string[],
  last: SealedRow | undefined,
): Promise<SealedRow[]> {
  const columns = sql.join(key.map((column) => sql.ref(column)))
  // as JSON, which loses nothing: a moment of JavaScript would come before the one that it was read from
  const at = sql`jsonb_build_array(${columns})`
  const { rows } = await sql<Record<string, unknown>>`
    select ${at}::text as row_at, ${sealed} as sealed_value, ${columns} from ${sql.table(place.table)}
    where ${place.keyId} = any(${former}::text[]) and ${last ? sql`${at} > ${last.at}::jsonb` : sql`true`}
      and ${unlessHeld ?? sql`true`}
    order by ${at} limit ${BATCH}`.execute(db)
  return rows.map(({ row_at, sealed_value, ...rest }) => ({
    at: row_at as string,
    sealed: sealed_value as Buffer,
    key: rest,
  }))
}

async function resealRow(
  db: Db,
  place: SealedPlace,
  { key, sealed, contextOf, put, unlessHeld }: Resealing,
  row: SealedRow,
): Promise<'done' | 'changed' | 'unopenable'> {
  let again: Buffer
  try {
    again = reseal(place.ring, row.sealed, contextOf(row.key))
  } catch (error) {
    if (error instanceof UnsealError) return 'unopenable'
    throw error
  }
  const isIt = sql.join(
    key.map((column) => sql`${sql.ref(column)} = ${row.key[column]}`),
    sql` and `,
  )
  const { numAffectedRows } = await sql`
    update ${sql.table(place.table)} set ${put(again)}
    where ${isIt} and ${sealed} = ${row.sealed} and ${unlessHeld ?? sql`true`}`.execute(db)
  return numAffectedRows === 1n ? 'done' : 'changed'
}
