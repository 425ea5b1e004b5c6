import { INPUT_BOUNDS } from '@atrium/contract/input-bounds'
import type { InputNotes } from '@atrium/contract/input-sentence'
import { hasTooManyMarks } from '../../text/unicode.ts'

/** What a value may have at most, and each of its parts. */
export interface Bounds {
  /** UTF-16 units of it, where it is a text. */
  textUnits: number
  /** Whether any number of combining marks may stand in a row in it, and halves of characters (unpaired surrogates). */
  anyMarks: boolean
  /** Of a list. */
  items: number
  item: Bounds
  /** Of the fields that the schema names. */
  fields: ReadonlyMap<string, Bounds>
  /** Of every other field, and of the keys themselves. */
  others: Bounds
}

/** What is wrong with a value, and where: `path` leads there through keys and places in lists. */
export interface OverBound {
  rule: 'textUnits' | 'marksInARow' | 'halfCharacters' | 'items' | 'depth' | 'values'
  path: string[]
}

interface Schema extends InputNotes {
  type?: unknown
  maxLength?: number
  maxItems?: number
  items?: Schema
  properties?: Readonly<Record<string, Schema>>
  anyOf?: readonly Schema[]
}

/** Of what no schema speaks of. */
export const ANY_VALUE: Bounds = boundless(INPUT_BOUNDS.textUnits, false)
/** For a reader that judges texts itself: depth and width alone. */
export const ANY_TEXT: Bounds = boundless(Number.POSITIVE_INFINITY, true)

function boundless(textUnits: number, anyMarks: boolean): Bounds {
  const bounds = {
    textUnits,
    anyMarks,
    items: Number.POSITIVE_INFINITY,
    fields: new Map(),
  } as unknown as Bounds
  return Object.assign(bounds, { item: bounds, others: bounds })
}

/** The bounds that a schema of input has. Of several forms of a value, the widest counts. */
export function boundsOf(schema: Schema): Bounds {
  const forms = (schema.anyOf ?? []).map(boundsOf)
  const { properties = {}, items } = schema
  const own: Bounds = {
    textUnits: unitsOf(schema) ?? INPUT_BOUNDS.textUnits,
    anyMarks: schema.anyText === true,
    items: schema.maxItems ?? Number.POSITIVE_INFINITY,
    item: items ? boundsOf(items) : ANY_VALUE,
    fields: new Map(Object.entries(properties).map(([name, field]) => [name, boundsOf(field)])),
    others: ANY_VALUE,
  }
  return forms.length > 0 ? { ...forms.reduce(widest), textUnits: own.textUnits } : own
}

/** Undefined where no form of it is a text, or one has no length. */
function unitsOf({ type, anyOf, maxLength, anyText }: Schema): number | undefined {
  if (anyText) return Number.POSITIVE_INFINITY
  const ofForms = anyOf?.filter(isText).map((form) => unitsOf(form) ?? INPUT_BOUNDS.textUnits) ?? []
  if (ofForms.length > 0) return Math.max(...ofForms)
  if (type !== 'string' || maxLength === undefined) return undefined
  return Math.max(INPUT_BOUNDS.leastTextUnits, INPUT_BOUNDS.unitsPerCharacter * maxLength)
}

function isText({ type, anyOf }: Schema): boolean {
  return type === 'string' || anyOf?.some(isText) === true
}

function widest(one: Bounds, other: Bounds): Bounds {
  return {
    textUnits: Math.max(one.textUnits, other.textUnits),
    anyMarks: one.anyMarks || other.anyMarks,
    items: Math.max(one.items, other.items),
    item: one.item === ANY_VALUE ? other.item : one.item,
    fields: new Map([...other.fields, ...one.fields]),
    others: ANY_VALUE,
  }
}

/** Goes through one value after the other until it has counted too many. */
interface Walk {
  /** Values and keys that there may still be. */
  left: number
  depth: number
}

/**
 * The first thing about a value of JSON that is over its bounds; undefined where nothing is. Takes time in proportion
 * to the value, for any content.
 */
export function overBound(value: unknown, bounds: Bounds): OverBound | undefined {
  return look(value, bounds, { left: INPUT_BOUNDS.values, depth: 0 })
}

function look(value: unknown, bounds: Bounds, walk: Walk): OverBound | undefined {
  walk.left -= 1
  if (walk.left < 0) return { rule: 'values', path: [] }
  if (typeof value === 'string') return lookAtText(value, bounds)
  if (typeof value !== 'object' || value === null) return undefined
  if (walk.depth === INPUT_BOUNDS.depth) return { rule: 'depth', path: [] }
  walk.depth += 1
  const found = Array.isArray(value) ? lookAtItems(value, bounds, walk) : lookAtFields(value, bounds, walk)
  walk.depth -= 1
  return found
}

function lookAtText(text: string, { textUnits, anyMarks }: Bounds): OverBound | undefined {
  if (text.length > textUnits) return { rule: 'textUnits', path: [] }
  if (anyMarks) return undefined
  // UTF-8 has no form for one: the database would be told another text
  if (!text.isWellFormed()) return { rule: 'halfCharacters', path: [] }
  return hasTooManyMarks(text) ? { rule: 'marksInARow', path: [] } : undefined
}

function lookAtItems(list: readonly unknown[], bounds: Bounds, walk: Walk): OverBound | undefined {
  if (list.length > bounds.items) return { rule: 'items', path: [] }
  for (let at = 0; at < list.length; at += 1) {
    const found = look(list[at], bounds.item, walk)
    if (found) return within(String(at), found)
  }
  return undefined
}

function lookAtFields(fields: object, bounds: Bounds, walk: Walk): OverBound | undefined {
  for (const key in fields) {
    walk.left -= 1
    const found =
      lookAtText(key, bounds.others) ??
      look((fields as Record<string, unknown>)[key], bounds.fields.get(key) ?? bounds.others, walk)
    if (found) return within(key, found)
  }
  return undefined
}

function within(step: string, found: OverBound): OverBound {
  found.path.unshift(step)
  return found
}
