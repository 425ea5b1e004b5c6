import { decodeCursor, encodeCursor, type RowPosition } from './cursor.ts'

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

/**
 * Reads one page of a list with its newest rows first. Pages hang on rows, not on counts: what is added or changed
 * meanwhile neither doubles nor hides a row.
 * @throws Refusal `invalid` where a cursor is none
 */
export async function readCursorPage<Row>(
  request: CursorRequest,
  placeOf: (row: Row) => RowPosition,
  read: (range: Range) => Promise<Row[]>,
): Promise<CursorPage<Row>> {
  const limit = Number(request.limit ?? LIMIT_DEFAULT)
  const olderThan = request.after === undefined ? undefined : decodeCursor(request.after, 'after')
  const newerThan = request.before === undefined ? undefined : decodeCursor(request.before, 'before')
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
    before: newer.length > 0 ? encodeCursor(placeOf(first)) : null,
    after: older.length > 0 ? encodeCursor(placeOf(last)) : null,
  }
}
