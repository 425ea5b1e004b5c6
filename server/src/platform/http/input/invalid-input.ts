import type { Operation } from '@atrium/contract'
import {
  inputSentence,
  schemaAt,
  sentenceOfMissing,
  sentenceOfOtherType,
} from '@atrium/contract/input-sentence'
import type { FastifySchemaValidationError } from 'fastify'
import type { TSchema } from 'typebox'
import { invalidInput, type Refusal } from '../../refusal.ts'

/** Where a part of the input came from, as Fastify calls it. */
type Part = 'body' | 'params' | 'querystring' | (string & {})

/** Of what was wrong, where it was not the value. */
const SENTENCES: Readonly<Record<string, typeof inputSentence>> = {
  type: sentenceOfOtherType,
  required: sentenceOfMissing,
}

/** What validation found wrong with the input of an operation, as one sentence a field. */
export function refusalOfInput(
  { params, query, body, invalidStatus }: Pick<Operation, 'params' | 'query' | 'body' | 'invalidStatus'>,
  errors: readonly FastifySchemaValidationError[],
  part: Part,
): Refusal {
  const schema = part === 'params' ? params : part === 'querystring' ? query : body
  const fields = new Map<string, string>()
  for (const error of errors.filter(isWholeFault)) {
    const path = pathOf(error)
    const field = path.join('.') || 'body'
    const sentenceOf = SENTENCES[error.keyword] ?? inputSentence
    if (schema && !fields.has(field)) fields.set(field, sentenceAt(schema, path, field, sentenceOf))
  }
  const details = [...fields].map(([field, message]) => ({ field, message }))
  return invalidInput(details, { kind: invalidStatus === 422 ? 'unprocessable' : 'invalid' })
}

/** Of a value that fits none of several forms, what is wrong with each form says little. */
function isWholeFault(
  { schemaPath }: FastifySchemaValidationError,
  _index: number,
  errors: readonly FastifySchemaValidationError[],
): boolean {
  return !errors.some(
    (other) => /\/(any|one)Of$/.test(other.schemaPath) && schemaPath.startsWith(`${other.schemaPath}/`),
  )
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
