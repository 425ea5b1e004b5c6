import type { Operation } from '@atrium/contract'
import {
  inputSentence,
  schemaAt,
  sentenceOfMissing,
  sentenceOfOtherType,
} from '@atrium/contract/input-sentence'
import type { FastifySchemaValidationError } from 'fastify'
import type { TSchema } from 'typebox'
import { DETAILS_MAX, invalidInput, type Refusal } from '../../refusal.ts'

/** Where a part of the input came from, as Fastify calls it. */
type Part = 'body' | 'params' | 'querystring' | (string & {})

/** Of what was wrong, where it was not the value. */
const SENTENCES: Readonly<Record<string, typeof inputSentence>> = {
  type: sentenceOfOtherType,
  required: sentenceOfMissing,
}

/**
 * What validation found wrong with the input of an operation, as one sentence a field. A body of two characters an entry
 * has a hundred thousand faults, all of which a refusal does not tell: nothing here may compare each with each.
 */
export function refusalOfInput(
  { params, query, body, invalidStatus }: Pick<Operation, 'params' | 'query' | 'body' | 'invalidStatus'>,
  errors: readonly FastifySchemaValidationError[],
  part: Part,
): Refusal {
  const schema = part === 'params' ? params : part === 'querystring' ? query : body
  const fields = new Map<string, string>()
  const unions = failedUnions(errors)
  for (const error of errors) {
    if (fields.size === DETAILS_MAX) break
    if (isWithin(unions, error)) continue
    const path = pathOf(error)
    const field = path.join('.') || 'body'
    const sentenceOf = SENTENCES[error.keyword] ?? inputSentence
    if (schema && !fields.has(field)) fields.set(field, sentenceAt(schema, path, field, sentenceOf))
  }
  const details = [...fields].map(([field, message]) => ({ field, message }))
  return invalidInput(details, { kind: invalidStatus === 422 ? 'unprocessable' : 'invalid' })
}

/** Places in the schema where a value may have one of several forms and has none: a few, however long a list is. */
function failedUnions(errors: readonly FastifySchemaValidationError[]): ReadonlySet<string> {
  return new Set(errors.map(({ schemaPath }) => schemaPath).filter((path) => /\/(any|one)Of$/.test(path)))
}

/** Of a value that fits none of several forms, what is wrong with each form says little. */
function isWithin(unions: ReadonlySet<string>, { schemaPath }: FastifySchemaValidationError): boolean {
  for (const union of unions) if (schemaPath.startsWith(`${union}/`)) return true
  return false
}

function pathOf({ instancePath, params }: FastifySchemaValidationError): string[] {
  const path = instancePath.split('/').filter(Boolean)
  return typeof params.missingProperty === 'string' ? [...path, params.missingProperty] : path
}

function sentenceAt(
  schema: TSchema,
  path: readonly string[],
  field: string,
  sentenceOf: typeof inputSentence,
): string {
  const at = schemaAt(schema, path)
  return at ? sentenceOf(at, field) : 'Send what the reference shows'
}
