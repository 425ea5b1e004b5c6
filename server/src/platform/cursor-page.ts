import Type from 'typebox'
import { decodeCursor, encodeCursor } from './cursor.ts'

/** Where a row stands in a list that is ordered by time and, within a moment, by id. */
export interface RowPosition {
  at: Date
  id: string
}

/** Which rows of a list to read, and from which end. */
export interface Range {
  /** Only rows further down: older ones. */
  olderThan?: RowPosition
  /** Only rows further up: newer ones. */
  newerThan?: RowPosition
  oldestFirst: boolean
  limit: number
}

/** What a caller asked for: `after` leads to older rows, `before` back to newer ones. */
export interface CursorRequest {
  limit?: number | string | undefined
  before?: string | undefined
  after?: string | undefined
}

export interface CursorPage<Row> {
  /** Newest first. */
  rows: Row[]
  before: string | null
  after: string | null
}

const LIMIT_DEFAULT = 10
const PlaceSchema = Type.Tuple([
  Type.String({ format: 'date-time', maxLength: 30 }),
  Type.String({ pattern: '^[0-9A-Za-z_]{1,80}$' }),
])

/**
 * Reads one page of a list whose newest rows come first. Pages hang on rows, not on counts: what is added or
 * changed meanwhile neither doubles nor hides a row.
 * @throws Refusal `invalid` where a cursor is none
 */
export async function readCursorPage<Row>(
  request: CursorRequest,
  placeOf: (row: Row) => RowPosition,
  read: (range: Range) => Promise<Row[]>,
): Promise<CursorPage<Row>> {
  const limit = Number(request.limit ?? LIMIT_DEFAULT)
  const olderThan = placeAt(request.after, 'after')
  const newerThan = placeAt(request.before, 'before')
  const backwards = newerThan !== undefined && olderThan === undefined
  const bounds = { ...(olderThan ? { olderThan } : {}), ...(newerThan ? { newerThan } : {}) }

  const rows = await read({ ...bounds, oldestFirst: backwards, limit })
  if (backwards) rows.reverse()
  const [first, last] = [rows[0], rows.at(-1)]
  if (first === undefined || last === undefined) return { rows, before: null, after: null }

  const newer = await read({ newerThan: placeOf(first), oldestFirst: true, limit: 1 })
  const older = await read({ olderThan: placeOf(last), oldestFirst: false, limit: 1 })
  return {
    rows,
    before: newer.length > 0 ? cursorOf(placeOf(first)) : null,
    after: older.length > 0 ? cursorOf(placeOf(last)) : null,
  }
}

function placeAt(cursor: string | undefined, field: string): RowPosition | undefined {
  if (cursor === undefined) return undefined
  const [at, id] = decodeCursor(PlaceSchema, cursor, field)
  return { at: new Date(at), id }
}

function cursorOf({ at, id }: RowPosition): string {
  return encodeCursor(PlaceSchema, [at.toISOString(), id])
}
