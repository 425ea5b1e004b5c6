import { type ErrorWord, errorMeanings } from './errors.ts'
import { exampleOf } from './examples.ts'
import { inputSentence } from './input-sentence.ts'
import { errorsOf, type Operation } from './operation.ts'
import { ErrorReply } from './shapes.ts'

type Json = Record<string, unknown>

export const refusalsByStatus: Readonly<Record<number, { name: string; description: string }>> = {
  400: { name: 'BadRequest', description: 'The input is malformed or invalid, or its credential is.' },
  401: { name: 'Unauthenticated', description: 'There is no session or token, or it has ended.' },
  403: {
    name: 'Forbidden',
    description: 'Not allowed to this caller or from this origin, or no organization is active.',
  },
  404: { name: 'NotFound', description: 'It does not exist, or belongs to another organization.' },
  409: { name: 'Conflict', description: 'This conflicts with the current state.' },
  410: { name: 'Gone', description: 'It has expired or is gone.' },
  413: { name: 'ContentTooLarge', description: 'The body is too large.' },
  415: { name: 'UnsupportedMediaType', description: 'The body is not declared as JSON, or is encoded.' },
  422: { name: 'Unprocessable', description: 'The input does not fit its shape.' },
  429: { name: 'TooManyRequests', description: 'Too many calls: try again after `Retry-After`.' },
  500: { name: 'InternalError', description: 'Something failed inside the office.' },
  502: { name: 'ProviderFailed', description: 'An outside provider failed.' },
  503: { name: 'Unavailable', description: 'A needed part is unavailable at the moment.' },
}

/** An operation with nothing of its own: its refusals are those of most. */
const BARE = {
  method: 'POST',
  path: '/',
  summary: '',
  chapter: '',
  access: { kind: 'session' },
  replies: {},
} as const satisfies Operation

/** By their names, the refusals that most operations share. */
export function sharedRefusals(schema: Json, headers: Json): Json {
  const statuses = [...errorsOf(BARE).keys()].sort((a, b) => a - b)
  return Object.fromEntries(
    statuses.map((status) => [
      refusalsByStatus[status]?.name,
      describeRefusal(BARE, status, schema, headers),
    ]),
  )
}

/** The name of the shared refusal that an operation has with a status; undefined where it has words of its own. */
export function sharedRefusalOf(declared: Operation, status: number): string | undefined {
  const [own, shared] = [declared, BARE].map((one) => errorsOf(one).get(status)?.join())
  return own === shared ? refusalsByStatus[status]?.name : undefined
}

/** The refusals of an operation with one status: its words, each with an example. */
export function describeRefusal(declared: Operation, status: number, schema: Json, headers: Json): Json {
  const refusal = refusalsByStatus[status]
  if (!refusal) throw new Error(`no description of a refusal with ${status}`)
  const words = errorsOf(declared).get(status) ?? []
  const list = words.map((word) => `\`${word}\``).join(', ')
  return {
    description: `${refusal.description} Words: ${list}.`,
    ...(status === 429 ? { headers } : {}),
    content: {
      'application/json': {
        schema: { allOf: [schema, { properties: { error: { enum: words } } }] },
        examples: Object.fromEntries(
          words.map((word) => [word, { value: exampleOfRefusal(declared, status, word) }]),
        ),
      },
    },
  }
}

/** What the server would send. */
export function exampleOfRefusal(declared: Operation, status: number, word: ErrorWord): Json {
  const { requestId } = exampleOf(ErrorReply) as Json
  const [field, schema] = firstFieldOf(declared)
  if (word !== 'invalid-input' || !schema)
    return { code: status, message: errorMeanings[word].message, error: word, requestId }
  const message = inputSentence(schema, field)
  return { code: status, message, error: word, details: [{ field, message }], requestId }
}

function firstFieldOf({ params, query, body }: Operation) {
  const fields = [body, query, params].flatMap((group) => Object.entries(group?.properties ?? {}))
  const [field = 'body', schema = body] = fields[0] ?? []
  return [field, schema] as const
}
