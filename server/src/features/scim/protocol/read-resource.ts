import { ANY_VALUE, overBound } from '../../../platform/http/input/bounds.ts'
import { isObject } from '../../../platform/outside/outside-fields.ts'
import { hasTooManyMarks } from '../../../platform/text/unicode.ts'
import {
  type Attribute,
  attributeNamed,
  attributesOf,
  type Complex,
  type ResourceKind,
  type Value,
} from './attributes.ts'
import { invalid, ScimFault } from './faults.ts'
import { flagOf } from './match.ts'

const TEXT_MAX = 1_000
const VALUES_MAX = 10_000
const TOO_LONG = `is longer than ${TEXT_MAX} characters, or has more than 30 combining marks in a row`
const HALF_OF_A_PAIR = /\p{Cs}/u

/** What a directory wants a resource to be. */
export interface Wanted {
  /** With all that could be read of what was said. */
  resource: Complex
  /** Attributes of the present resource that nothing was said of. */
  unsaid: ReadonlySet<string>
  /** Why not all of it is taken, the first reason of several: the whole is refused by it, but for what takes access away. */
  fault: ScimFault | undefined
}

/** Is told why something that was said cannot be taken. */
export type Note = (fault: ScimFault) => void

const refuse: Note = (fault) => {
  throw fault
}

/** Keeps the first fault of several. */
export function firstFault(): { note: Note; first(): ScimFault | undefined } {
  let first: ScimFault | undefined
  return {
    note(fault) {
      first ??= fault
    },
    first: () => first,
  }
}

/** Runs one of several parts of what was said: what cannot be taken of it is noted. */
export function attempt(note: Note, part: () => void): void {
  try {
    part()
  } catch (error) {
    if (!(error instanceof ScimFault)) throw error
    note(error)
  }
}

/**
 * What a directory says of a resource, with the names and types that its schema has. What a schema does not know is left
 * out, and what only the server says; null is as good as nothing.
 * @throws ScimFault invalidSyntax, invalidValue
 */
export function readResource(kind: ResourceKind, body: unknown): Complex {
  const { resource, fault } = readWhole(kind, body, {})
  if (fault) throw fault
  return resource
}

/**
 * The same of what is to take the place of another resource. An attribute that cannot be read stays as it is there.
 * @throws ScimFault invalidSyntax where it is no resource at all
 */
export function readWhole(kind: ResourceKind, body: unknown, present: Complex): Wanted {
  if (!isObject(body)) throw invalid('invalidSyntax', 'The body is not a JSON object')
  const { note, first } = firstFault()
  attempt(note, () => requireSchemas(kind, ownValue(body, 'schemas')))
  const resource: Complex = {}
  const unsaid = new Set(Object.keys(present))
  const attributes = attributesOf(kind)
  for (const [key, value] of Object.entries(body)) {
    const attribute = attributeNamed(attributes, key)
    if (!attribute || attribute.mutability === 'readOnly') continue
    unsaid.delete(attribute.name)
    const before = present[attribute.name]
    let read: Value = before ?? null
    attempt(note, () => {
      read = readValue(attribute, value, note)
    })
    if (read !== null) resource[attribute.name] = read
  }
  return { resource, unsaid, fault: first() }
}

function requireSchemas({ schema }: ResourceKind, schemas: unknown): void {
  requireSchemasBounds(schemas)
  // some directories leave them out
  if (schemas === undefined) return
  const isNamed =
    Array.isArray(schemas) && schemas.some((one) => String(one).toLowerCase() === schema.toLowerCase())
  if (!isNamed) throw invalid('invalidSyntax', `"schemas" does not name ${schema}`)
}

/** @throws ScimFault where a text is longer than one can be, or there are too many */
export function requireSchemasBounds(schemas: unknown): void {
  if (overBound(schemas, ANY_VALUE)) throw invalid('invalidSyntax', '"schemas" is too long')
}

/** The value of a key in any case; undefined where there is none. */
export function ownValue(body: object, name: string): unknown {
  const lower = name.toLowerCase()
  const key = Object.keys(body).find((one) => one.toLowerCase() === lower)
  return key === undefined ? undefined : (body as Record<string, unknown>)[key]
}

/**
 * A value that is written to an attribute; null where it is taken away. Of several values one that is over its bound
 * names nothing that is here: it is noted, and the others are read.
 * @throws ScimFault invalidValue
 */
export function readValue(attribute: Attribute, value: unknown, note: Note = refuse): Value {
  if (value === null || value === undefined) return null
  if (!attribute.multiValued) return readOne(attribute, value)
  // one value of many needs no list around it
  const list = Array.isArray(value) ? value : [value]
  if (list.length > VALUES_MAX) throw unfit(attribute, `has more than ${VALUES_MAX} values`)
  const within = list.filter((one) => !isOverBound(isObject(one) ? ownValue(one, 'value') : one))
  if (within.length < list.length) note(unfit(attribute, TOO_LONG))
  return within.map((one) => readOne(attribute, one, note))
}

/** The same of values that are to be removed: what can be read of them is, and the others are noted. */
export function readRemoved(attribute: Attribute, value: unknown, note: Note): Value[] {
  const removed: Value[] = []
  for (const one of Array.isArray(value) ? value : [value])
    attempt(note, () => {
      removed.push(...((readValue(attribute, [one], note) ?? []) as Value[]))
    })
  return removed
}

function isOverBound(value: unknown): boolean {
  return typeof value === 'string' && (value.length > TEXT_MAX || hasTooManyMarks(value))
}

function readOne(attribute: Attribute, value: unknown, note: Note = refuse): Value {
  switch (attribute.type) {
    case 'boolean': {
      const flag = typeof value === 'string' ? flagOf(value) : value
      if (typeof flag !== 'boolean') throw unfit(attribute, 'is neither true nor false')
      return flag
    }
    case 'complex': {
      // directories write a bare text where only the value matters
      const parts = typeof value === 'string' && attribute.multiValued ? { value } : value
      if (!isObject(parts)) throw unfit(attribute, 'is not an object')
      return readParts(attribute, parts, note)
    }
    default: {
      if (typeof value !== 'string') throw unfit(attribute, 'is not text')
      if (isOverBound(value)) throw unfit(attribute, TOO_LONG)
      // no database takes the character of no meaning
      if (HALF_OF_A_PAIR.test(value) || value.includes('\0'))
        throw unfit(attribute, 'holds an invalid character')
      return value
    }
  }
}

/** A part that cannot be read is noted, but for the one that says which of several values is meant. */
function readParts({ subAttributes = [], isHeard }: Attribute, body: object, note: Note): Complex {
  const parts: Complex = {}
  for (const [key, value] of Object.entries(body)) {
    const part = attributeNamed(subAttributes, key)
    if (!part || (part.mutability === 'readOnly' && !isHeard)) continue
    attempt(part.name === 'value' ? refuse : note, () => {
      const read = readValue(part, value)
      if (read !== null) parts[part.name] = read
    })
  }
  return parts
}

function unfit({ name }: Attribute, what: string) {
  return invalid('invalidValue', `${name} ${what}`)
}
