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
    if (isHidden(unions, error)) continue
    const path = pathOf(error)
    const field = path.join('.') || 'body'
    const sentenceOf = SENTENCES[error.keyword] ?? inputSentence
    if (schema && !fields.has(field)) fields.set(field, sentenceAt(schema, path, field, sentenceOf))
  }
  const details = [...fields].map(([field, message]) => ({ field, message }))
  return invalidInput(details, { kind: invalidStatus === 422 ? 'unprocessable' : 'invalid' })
}

/** Places in the schema where a value may have one of several forms and has none: a few, however long a list is. */
interface FailedUnion {
  path: string
  /** The only form of the value's type, if there is one: it says what is wrong, as the object of a union with null does. */
  form: string | undefined
}

function failedUnions(errors: readonly FastifySchemaValidationError[]): readonly FailedUnion[] {
  const paths = new Set(
    errors.map(({ schemaPath }) => schemaPath).filter((path) => /\/(any|one)Of$/.test(path)),
  )
  return [...paths].map((path) => ({ path, form: onlyFormOfType(path, errors) }))
}

function onlyFormOfType(union: string, errors: readonly FastifySchemaValidationError[]): string | undefined {
  const fitting = new Map<string, boolean>()
  for (const { schemaPath } of errors) {
    if (!schemaPath.startsWith(`${union}/`)) continue
    const [form = '', ...rest] = schemaPath.slice(union.length + 1).split('/')
    const hasType = rest.join('/') !== 'type'
    fitting.set(form, hasType && fitting.get(form) !== false)
  }
  const forms = [...fitting].filter(([, hasType]) => hasType)
  return forms.length === 1 ? forms[0]?.[0] : undefined
}

/** Of a value that has the type of several forms, or of none, what is wrong with each form says little. */
function isHidden(unions: readonly FailedUnion[], { schemaPath }: FastifySchemaValidationError): boolean {
  return unions.some(({ path, form }) => {
    if (form === undefined) return schemaPath.startsWith(`${path}/`)
    return (
      schemaPath === path || (schemaPath.startsWith(`${path}/`) && !schemaPath.startsWith(`${path}/${form}/`))
    )
  })
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
