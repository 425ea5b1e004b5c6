import type { InputNotes } from './input-sentence.ts'

type Json = Record<string, unknown>

const keywordsOfOneSchema = new Set(['items', 'additionalProperties', 'not', 'contains', 'propertyNames'])
const keywordsOfSchemaLists = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])
const keywordsOfSchemaMaps = new Set(['properties', 'patternProperties', '$defs'])

/** The schemas of one published document. */
export interface Shapes {
  /** The schema as the document writes it: a reference wherever it has a title. */
  write(schema: Json): Json
  /** Every titled schema by its title. */
  all(): Json
}

/**
 * Gathers the titled schemas while schemas are written.
 *
 * `write` throws where two different schemas have one title.
 */
export function createShapes(): Shapes {
  const named = new Map<string, Json>()

  function write(schema: Json): Json {
    const written = writeKeywords(schema, write)
    const { title } = written
    if (typeof title !== 'string') return written

    if (!/^[\w.-]+$/.test(title)) throw new Error(`"${title}" cannot be the name of a schema`)
    const known = named.get(title)
    if (known && JSON.stringify(known) !== JSON.stringify(written)) {
      throw new Error(`two different schemas have the title "${title}"`)
    }
    named.set(title, written)
    return { $ref: `#/components/schemas/${title}` }
  }

  return {
    write,
    all: () => Object.fromEntries([...named].sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}

/** A schema as others read it, in one piece: without what is noted for our own code alone. */
export function withoutNotes(schema: Json): Json {
  return writeKeywords(schema, withoutNotes)
}

function writeKeywords(schema: Json, write: (inner: Json) => Json): Json {
  const written: Json = {}
  const {
    label: _label,
    sentence: _sentence,
    isName: _isName,
    anyText: _anyText,
    isMailedCode: _isMailedCode,
    documented,
    ...keywords
  } = schema as Json & InputNotes
  for (const [keyword, value] of Object.entries({ ...keywords, ...documented })) {
    // left open: unknown fields of a request are dropped, and replies may gain fields
    if (keyword === 'additionalProperties' && value === false) continue
    written[keyword] = writeKeyword(keyword, value, write)
  }
  return written
}

function writeKeyword(keyword: string, value: unknown, write: (inner: Json) => Json): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (keywordsOfOneSchema.has(keyword)) return write(value as Json)
  if (keywordsOfSchemaLists.has(keyword)) return (value as Json[]).map(write)
  if (!keywordsOfSchemaMaps.has(keyword)) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, write(inner as Json)]))
}
