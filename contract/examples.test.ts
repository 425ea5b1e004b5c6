import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { TObject, TSchema } from 'typebox'
import { describe, expect, it } from 'vitest'
import { exampleOf, exampleOfRequest } from './examples.ts'
import { ErrorReply, type ErrorWord, errorMeanings, errorsOf, operationEntries } from './index.ts'
import { openApiDocument } from './openapi.ts'
import { exampleOfRefusal } from './openapi-refusals.ts'

type Json = Record<string, unknown>
interface Content {
  schema: Json
  example?: unknown
  examples?: Record<string, { value: unknown }>
}

const document = openApiDocument({ version: '1.2.3' })
// as the document says it: with the keywords that validation does not have
const ajv = new Ajv2020({ strict: false, allErrors: true })
;(addFormats as unknown as (to: Ajv2020) => void)(ajv)
ajv.addSchema({ $id: 'document', ...document })

/** By the text of its schema: most refusals share one. */
const validators = new Map<string, ValidateFunction>()

function faultsOf(schema: Json, value: unknown): unknown {
  const text = JSON.stringify(schema).replaceAll('"#/components', '"document#/components')
  const validate = validators.get(text) ?? ajv.compile(JSON.parse(text) as Json)
  validators.set(text, validate)
  return validate(value) ? [] : validate.errors
}

interface Described {
  operationId: string
  parameters?: { name: string; schema: Json; example: unknown }[]
  requestBody?: { content: { 'application/json': Content } }
  responses: Record<string, { $ref?: string; content?: { 'application/json': Content } }>
}
const described = Object.values(document.paths).flatMap((item) =>
  Object.values(item),
) as unknown as Described[]

/** Of a reply with a status, which may be one that many operations share. */
function replyOf(one: Described | undefined, status: number | string): Content | undefined {
  const reply = one?.responses[String(status)]
  const shared = reply?.$ref && document.components.responses[reply.$ref.split('/').at(-1) ?? '']
  return ((shared || reply) as Described['responses'][string] | undefined)?.content?.['application/json']
}

describe('the examples of the document', () => {
  it.each(described.map((one) => [one.operationId, one] as const))('fit the shapes of %s', (_id, one) => {
    for (const { name, schema, example } of one.parameters ?? [])
      expect(faultsOf(schema, example), name).toEqual([])
    const request = one.requestBody?.content['application/json']
    if (request) expect(faultsOf(request.schema, request.example), 'request').toEqual([])
    for (const status of Object.keys(one.responses)) {
      const reply = replyOf(one, status)
      const examples = Object.values(reply?.examples ?? {}).map(({ value }) => value)
      if (reply && Number(status) < 400) examples.push(reply.example)
      if (reply) expect(examples.length, status).toBeGreaterThan(0)
      for (const example of examples) expect(faultsOf(reply?.schema ?? {}, example), status).toEqual([])
    }
  })

  it('show every word of every operation, with its status', () => {
    for (const [id, declared] of operationEntries) {
      const one = described.find(({ operationId }) => operationId === id)
      for (const [status, words] of errorsOf(declared)) {
        const { examples = {} } = replyOf(one, status) ?? {}
        expect(Object.keys(examples), `${id} ${status}`).toEqual(words)
      }
    }
  })

  it('say of refused input what the server says', () => {
    const found = operationEntries.find(([id]) => id === 'updateProfile')
    expect(found && exampleOfRefusal(found[1], 400, 'invalid-input')).toMatchObject({
      message: 'Enter a name of 2 to 100 characters',
      details: [{ field: 'displayName', message: 'Enter a name of 2 to 100 characters' }],
    })
  })

  it('of requests are what is required, and of several forms one', () => {
    const body = (id: string) => operationEntries.find(([own]) => own === id)?.[1].body as TObject
    expect(exampleOfRequest(body('sendInvitation'))).toEqual({ email: 'ada@example.com' })
    expect(Object.keys(exampleOfRequest(body('authorizeRoom')))).toEqual(['username', 'roomId'])
  })

  it('are the same every time', () => {
    expect(exampleOf(ErrorReply as TSchema)).toEqual(exampleOf(ErrorReply as TSchema))
  })
})

it('every error word is that of some operation', () => {
  const used = new Set(operationEntries.flatMap(([, declared]) => [...errorsOf(declared).values()].flat()))
  const unused = (Object.keys(errorMeanings) as ErrorWord[]).filter((word) => !used.has(word))
  expect(unused).toEqual([])
})
