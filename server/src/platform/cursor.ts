import type { Static, TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { invalidInput, type Refusal } from './refusal.ts'

/** Longest cursor taken from a caller, in characters. */
const CURSOR_MAX = 512

/** The place in a list after (or before) which a page begins, as an opaque text for the wire. */
export function encodeCursor<CursorShape extends TSchema>(
  _place: CursorShape,
  values: Static<CursorShape>,
): string {
  const cursor = Buffer.from(JSON.stringify(values)).toString('base64url')
  if (cursor.length > CURSOR_MAX)
    throw new Error(`a cursor of ${cursor.length} characters would not be taken back`)
  return cursor
}

/**
 * The place that a cursor stands for. It is the caller's word: whoever reads by it filters by tenant all the same.
 * @throws Refusal `invalid`, naming `field`, where the text is not a cursor of this kind.
 */
export function decodeCursor<CursorShape extends TSchema>(
  place: CursorShape,
  cursor: string,
  field: string,
): Static<CursorShape> {
  const values = cursor.length <= CURSOR_MAX && /^[\w-]+$/.test(cursor) ? parse(cursor) : undefined
  if (values !== undefined && Value.Check(place, values)) return values
  throw invalidCursor(field)
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
