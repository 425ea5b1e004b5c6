import {
  type Attribute,
  attributeNamed,
  attributesOf,
  type Complex,
  type ResourceKind,
  type Value,
} from './attributes.ts'
import { invalid } from './faults.ts'
import { flagOf } from './match.ts'

const TEXT_MAX = 1_000
const VALUES_MAX = 10_000
const HALF_OF_A_PAIR = /\p{Cs}/u

/**
 * What a directory says of a resource, with the names and types that its schema has. What a schema does not know is left
 * out, and what only the server says; null is as good as nothing.
 * @throws ScimFault invalidSyntax, invalidValue
 */
export function readResource(kind: ResourceKind, body: unknown): Complex {
  if (!isObject(body)) throw invalid('invalidSyntax', 'The body is not a JSON object')
  requireSchemas(kind, ownValue(body, 'schemas'))
  return readParts(attributesOf(kind), body)
}

function requireSchemas({ schema }: ResourceKind, schemas: unknown): void {
  // some directories leave them out
  if (schemas === undefined) return
  const isNamed =
    Array.isArray(schemas) && schemas.some((one) => String(one).toLowerCase() === schema.toLowerCase())
  if (!isNamed) throw invalid('invalidSyntax', `"schemas" does not name ${schema}`)
}

/** The value of a key in any case; undefined where there is none. */
export function ownValue(body: object, name: string): unknown {
  const lower = name.toLowerCase()
  const key = Object.keys(body).find((one) => one.toLowerCase() === lower)
  return key === undefined ? undefined : (body as Record<string, unknown>)[key]
}

/** A value that is written to an attribute; null where it is taken away. @throws ScimFault invalidValue */
export function readValue(attribute: Attribute, value: unknown): Value {
  if (value === null || value === undefined) return null
  if (!attribute.multiValued) return readOne(attribute, value)
  // one value of many needs no list around it
  const list = Array.isArray(value) ? value : [value]
  if (list.length > VALUES_MAX) throw unfit(attribute, `has more than ${VALUES_MAX} values`)
  return list.map((one) => readOne(attribute, one))
}

function readOne(attribute: Attribute, value: unknown): Value {
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
      return readParts(attribute.subAttributes ?? [], parts)
    }
    default: {
      if (typeof value !== 'string') throw unfit(attribute, 'is not text')
      if (value.length > TEXT_MAX) throw unfit(attribute, `is longer than ${TEXT_MAX} characters`)
      // no database takes the character of no meaning
      if (HALF_OF_A_PAIR.test(value) || value.includes('\0'))
        throw unfit(attribute, 'holds an invalid character')
      return value
    }
  }
}

function readParts(attributes: readonly Attribute[], body: object): Complex {
  const parts: Complex = {}
  for (const [key, value] of Object.entries(body)) {
    const attribute = attributeNamed(attributes, key)
    if (!attribute || attribute.mutability === 'readOnly') continue
    const read = readValue(attribute, value)
    if (read !== null) parts[attribute.name] = read
  }
  return parts
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function unfit({ name }: Attribute, what: string) {
  return invalid('invalidValue', `${name} ${what}`)
}
