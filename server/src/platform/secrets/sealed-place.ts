import { type RawBuilder, sql } from 'kysely'
import type { KeyRing, SealingContext } from './sealed-column.ts'

/** Where sealed values rest. The folder that owns a table says so of it; `compose/keys/sealed-places.ts` lists them all. */
export interface SealedPlace {
  /** For operators: what the values are, in the plural. */
  name: string
  ring: KeyRing
  table: string
  /** Of a row: the id of the key that its value is sealed with; null: it has none. */
  keyId: RawBuilder<string | null>
  /** Absent: they cannot be sealed again, and end by themselves. */
  reseal?: Resealing
  /** Of a row: when it ends by itself. */
  endsAt?: RawBuilder<Date>
}

export interface Resealing {
  /** Columns that name one row. */
  key: readonly string[]
  sealed: RawBuilder<Buffer>
  /** @param row its `key` columns */
  contextOf(row: Record<string, unknown>): SealingContext
  /** The assignment that puts another value into a row. */
  put(sealed: Buffer): RawBuilder<unknown>
  /** Only such rows are changed; the others later. */
  unlessHeld?: RawBuilder<boolean>
}

type ColumnOptions = Pick<SealedPlace, 'name' | 'ring' | 'table'> & { column: string }

/** One column of sealed values that stay: they are sealed again when the key changes. */
export function sealedColumn({
  column,
  key,
  contextOf,
  unlessHeld,
  ...place
}: ColumnOptions & Pick<Resealing, 'key' | 'contextOf' | 'unlessHeld'>): SealedPlace {
  const sealed = sql<Buffer>`${sql.ref(column)}`
  const put = (value: Buffer) => sql`${sql.ref(column)} = ${value}`
  const reseal = { key, sealed, contextOf, put, ...(unlessHeld && { unlessHeld }) }
  return { ...place, keyId: keyIdIn(sealed), reseal }
}

/** One column of sealed values that end by themselves, within a day or so. */
export function passingColumn({
  column,
  endsAt,
  ...place
}: ColumnOptions & { endsAt: RawBuilder<Date> }): SealedPlace {
  return { ...place, keyId: keyIdIn(sql<Buffer>`${sql.ref(column)}`), endsAt }
}

/** As `seal` writes it: version, length, id. Of what is no sealed value at all, an empty one. */
export function keyIdIn(sealed: RawBuilder<Buffer>): RawBuilder<string | null> {
  return sql<string | null>`case
    when ${sealed} is null then null
    when length(${sealed}) < 3 then ''
    else encode(substring(${sealed} from 3 for get_byte(${sealed}, 1)), 'escape') end`
}
