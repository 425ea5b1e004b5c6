import Type from 'typebox'
import { Value } from 'typebox/value'
import { parseMoment } from './moment.ts'
import { invalidInput, type Refusal } from './refusal.ts'

/** Where a row stands in a list that is ordered by time and, within a moment, by id. */
export interface RowPosition {
  at: Date
  id: string
}

/** What a cursor carries: time and id. */
const PlaceSchema = Type.Tuple([
  Type.String({ format: 'date-time', maxLength: 30 }),
  Type.String({ pattern: '^[0-9A-Za-z_]{1,80}$' }),
])

/** Longest cursor taken from a caller, in characters. */
const CURSOR_MAX = 512

/** The place in a list after (or before) which a page begins, as an opaque text for the wire. */
export function encodeCursor({ at, id }: RowPosition): string {
  const cursor = Buffer.from(JSON.stringify([at.toISOString(), id])).toString('base64url')
  if (cursor.length > CURSOR_MAX)
    throw new Error(`a cursor of ${cursor.length} characters would not be taken back`)
  return cursor
}

/**
 * The place that a cursor stands for. It is the caller's word: a query by it filters by tenant all the same.
 * @throws Refusal `invalid`, naming `field`, where the text is not a cursor of this kind.
 */
export function decodeCursor(cursor: string, field: string): RowPosition {
  const values = cursor.length <= CURSOR_MAX && /^[\w-]+$/.test(cursor) ? parse(cursor) : undefined
  if (!Value.Check(PlaceSchema, values)) throw invalidCursor(field)
  const [text, id] = values
  const at = parseMoment(text)
  if (!at) throw invalidCursor(field)
  return { at, id }
}

export function invalidCursor(field: string): Refusal {
  return invalidInput([{ field, message: `Give a cursor of an earlier reply of this list as ${field}` }])
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    return undefined
  }
}
