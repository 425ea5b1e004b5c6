import { Validator } from '@seriousme/openapi-schema-validator'
import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import {
  CHAT_DATA_PATH,
  CHAT_FUNCTIONS,
  CHAT_TABLES,
  methods,
  type Operation,
  operationEntries,
  statusesOf,
} from './index.ts'
import { type OpenApiDocument, openApiDocument } from './openapi.ts'
import { operation } from './operation.ts'

type Json = Record<string, unknown>
interface TicketRequest {
  requestBody: { content: Record<'application/json', { schema: { properties: Json } }> }
}

const document = openApiDocument({ version: '1.2.3', serverUrl: 'https://office.example' })

/** The described operations as a list, with the method and path they lie under. */
function described(of: OpenApiDocument) {
  return Object.entries(of.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, content]) => ({ method, path, content })),
  )
}

function describedAs(id: string, of = document): Json {
  const found = described(of).find(({ content }) => content.operationId === id)
  if (!found) throw new Error(`${id} is not in the document`)
  return found.content
}

function referencesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '$ref' && typeof inner === 'string' ? [inner] : referencesIn(inner),
  )
}

function resolve(reference: string): unknown {
  const [root, ...steps] = reference.split('/')
  if (root !== '#') return undefined
  return steps.reduce<unknown>((at, step) => (at as Json | undefined)?.[step], document)
}

/** A table of one operation, `probe`, and others. */
function tableOf(probe: Partial<Operation>, others: Record<string, Operation> = {}) {
  const declared = operation({
    method: 'POST',
    path: '/probe',
    summary: 'Probe',
    chapter: 'Probes',
    access: { kind: 'public' },
    replies: { 200: Type.Object({}) },
    ...probe,
  })
  return Object.entries({ probe: declared, ...others })
}

describe('the OpenAPI document', () => {
  it('is a valid OpenAPI 3.1 document', async () => {
    const validator = new Validator()
    const result = await validator.validate(structuredClone(document) as unknown as Json)
    expect(result.errors).toBeUndefined()
    expect(result.valid).toBe(true)
    expect(validator.version).toBe('3.1')
  })

  it('has every operation under its method and path, and no other', () => {
    const expected = operationEntries.map(([id, { method, path }]) => `${id} ${method.toLowerCase()} ${path}`)
    const written = described(document).map(
      ({ method, path, content }) => `${content.operationId} ${method} ${path}`,
    )
    expect(written.sort()).toEqual(expected.sort())
  })

  it.each(operationEntries)('%s has every status it may answer with', (id, declared) => {
    const responses = describedAs(id).responses as Json
    expect(Object.keys(responses).map(Number)).toEqual(statusesOf(declared))
  })

  it('uses no operation id twice', () => {
    const ids = described(document).map(({ content }) => content.operationId)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('resolves every reference', () => {
    const references = referencesIn(document)
    expect(references.length).toBeGreaterThan(0)
    expect(references.filter((reference) => resolve(reference) === undefined)).toEqual([])
  })

  it('is the same text every time', () => {
    const again = openApiDocument({ version: '1.2.3', serverUrl: 'https://office.example' })
    expect(JSON.stringify(again)).toBe(JSON.stringify(document))
  })

  it('names version and server, and one on this machine where none is given', () => {
    expect(document.info.version).toBe('1.2.3')
    expect(document.servers).toEqual([{ url: 'https://office.example' }])
    const [server] = openApiDocument({ version: '1.2.3' }).servers
    expect(server?.url).toBe('http://localhost:3000')
  })

  it.each(['cookie', 'ALLOWED_ORIGINS', 'NFC', '`Allow`', '`error`', 'ratelimit-remaining'])(
    'explains %s at its head',
    (word) => {
      expect(document.info.description).toContain(word)
    },
  )

  it('lists the chapters in the order of the table', () => {
    const chapters = [...new Set(operationEntries.map(([, { chapter }]) => chapter))]
    expect(document.tags.map(({ name }) => name)).toEqual(chapters)
  })

  it('names what chat has beside its operations', () => {
    const { description = '' } = document.tags.find(({ name }) => name === 'Chat') ?? {}
    for (const name of CHAT_FUNCTIONS) expect(description).toContain(`POST ${CHAT_DATA_PATH}/rpc/${name}`)
    for (const name of CHAT_TABLES) expect(description).toContain(`GET ${CHAT_DATA_PATH}/${name}`)
  })
})

describe('an operation in the document', () => {
  it('asks for the session cookie, and for a service token, exactly where the table does', () => {
    for (const [id, { access }] of operationEntries) {
      const takesTokens = access.kind === 'organization' && (access.serviceTokens || access.bots)
      const tokens = takesTokens ? [{ serviceToken: [] }] : []
      const people =
        access.kind === 'guest' ? [{ guest: [] }] : [{ session: [] }, { secureSession: [] }, ...tokens]
      const expected = access.kind === 'public' ? [] : people
      expect(describedAs(id).security, id).toEqual(expected)
    }
  })

  it('asks for the token of a directory where nothing else is taken', () => {
    const { paths } = openApiDocument(
      { version: '1' },
      tableOf({ access: { kind: 'bearer', bearer: 'scim' } }),
    )
    expect(Object.values(paths).flatMap(Object.values)).toMatchObject([{ security: [{ scimToken: [] }] }])
  })

  it.each(methods)('has a place for %s', (method) => {
    const { paths } = openApiDocument({ version: '1' }, tableOf({ method }))
    expect(Object.values(paths).flatMap((item) => Object.keys(item))).toEqual([method.toLowerCase()])
  })

  it('tells access kind and permission', () => {
    const entries = tableOf({ access: { kind: 'organization', permission: 'InviteUser' } })
    const probe = describedAs('probe', openApiDocument({ version: '1' }, entries))
    expect(probe['x-access']).toEqual({ kind: 'organization', permission: 'InviteUser' })
    expect(probe.description).toContain('InviteUser')
  })

  it('names the successor of a deprecated path', () => {
    const userInfo = describedAs('getUserInfo')
    expect(userInfo.deprecated).toBe(true)
    expect(userInfo.description).toContain('getCurrentUser')
    expect(describedAs('getCurrentUser')).not.toHaveProperty('deprecated')
    expect(userInfo.responses).toMatchObject({
      200: { headers: { Deprecation: expect.anything(), Link: expect.anything() } },
    })
  })

  it('says that a reply may be an earlier one where an operation takes a key of requests, and nowhere else', () => {
    for (const [id, { idempotent }] of operationEntries) {
      const { responses } = describedAs(id) as { responses: Json }
      expect(JSON.stringify(responses).includes('"Idempotency-Replayed"'), id).toBe(idempotent === true)
    }
  })

  it('refuses in the shape of ErrorReply with its own words, and says at 429 when to come back', () => {
    const { responses } = describedAs('createRoom') as { responses: Record<string, Json> }
    expect(responses[409]).toMatchObject({
      description: expect.stringContaining('`room-exists`'),
      content: {
        'application/json': {
          schema: {
            allOf: [
              { $ref: '#/components/schemas/ErrorReply' },
              {
                properties: { error: { enum: ['idempotency-key-in-use', 'room-exists', 'too-many-rooms'] } },
              },
            ],
          },
          examples: { 'room-exists': { value: { code: 409, error: 'room-exists' } } },
        },
      },
    })
    expect(responses[429]).toEqual({ $ref: '#/components/responses/TooManyRequests' })
    expect(document.components.responses.TooManyRequests).toMatchObject({
      headers: { 'Retry-After': expect.anything(), 'RateLimit-Remaining': expect.anything() },
    })
  })

  it('says what the handler refuses beside the validation, and keeps notes for sentences to itself', () => {
    const { properties } = (describedAs('createAvatarUploadTicket') as never as TicketRequest).requestBody
      .content['application/json'].schema
    expect(properties.contentType).toEqual({
      type: 'string',
      enum: ['image/jpeg', 'image/png', 'image/webp'],
    })
    expect(JSON.stringify(document)).not.toMatch(/"(label|sentence|documented)":/)
  })

  it('has no content where the reply has no body', () => {
    const entries = tableOf({ replies: { 204: null } })
    const { responses } = describedAs('probe', openApiDocument({ version: '1' }, entries))
    expect((responses as Json)[204]).toEqual({ description: expect.any(String) })
  })

  it('has no request body where the table has none', () => {
    expect(describedAs('getCurrentUser')).not.toHaveProperty('requestBody')
    expect(describedAs('signIn')).toMatchObject({ requestBody: { required: true } })
    expect(describedAs('devSignIn')).toMatchObject({ requestBody: { required: false } })
  })

  it('leaves request bodies open for unknown fields', () => {
    const body = Type.Object({ name: Type.String() }, { additionalProperties: false })
    const probe = describedAs('probe', openApiDocument({ version: '1' }, tableOf({ body })))
    const { requestBody } = probe as { requestBody: { content: Record<string, { schema: Json }> } }
    expect(requestBody.content['application/json']?.schema).not.toHaveProperty('additionalProperties')
  })

  it('writes path and query parameters', () => {
    const entries = tableOf({
      path: '/probe/{id}',
      params: Type.Object({ id: Type.String({ description: 'Which one' }) }),
      query: Type.Object({ limit: Type.Optional(Type.Integer({ minimum: 1 })), term: Type.String() }),
    })
    expect(describedAs('probe', openApiDocument({ version: '1' }, entries)).parameters).toEqual([
      {
        ...{ name: 'id', in: 'path', required: true, description: 'Which one' },
        ...{ schema: { type: 'string' }, example: '42' },
      },
      { name: 'limit', in: 'query', required: false, schema: { type: 'integer', minimum: 1 }, example: 20 },
      { name: 'term', in: 'query', required: true, schema: { type: 'string' }, example: 'x' },
    ])
  })

  it('declares exactly the parameters of its path', () => {
    for (const [id, { path, params }] of operationEntries) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      expect(Object.keys(params?.properties ?? {}), id).toEqual(inPath)
    }
  })
})

describe('titled shapes', () => {
  const inner = Type.Object({ title: Type.String() }, { title: 'Inner' })

  it('are written once and referred to, at any depth', () => {
    const { schemas } = document.components
    expect(schemas.User).toMatchObject({ type: 'object', title: 'User' })
    expect(JSON.stringify(describedAs('getCurrentUser'))).toContain('"#/components/schemas/User"')
    expect(schemas.User).toMatchObject({
      properties: {
        manualStatus: { anyOf: [{ $ref: '#/components/schemas/PresenceStatus' }, { type: 'null' }] },
      },
    })
    expect(schemas.PresenceStatus).toMatchObject({ type: 'string', enum: expect.arrayContaining(['busy']) })
  })

  it('are not confused by a field that is called title', () => {
    const entries = tableOf({ replies: { 200: Type.Array(inner) } })
    const { schemas } = openApiDocument({ version: '1' }, entries).components
    expect(schemas.Inner).toMatchObject({ properties: { title: { type: 'string' } } })
  })

  it('may not differ under one title', () => {
    const other = Type.Object({ name: Type.String() }, { title: 'Inner' })
    const entries = tableOf({ body: other, replies: { 200: Type.Array(inner) } })
    expect(() => openApiDocument({ version: '1' }, entries)).toThrow('"Inner"')
  })
})

describe('a table that cannot be published', () => {
  const [[, probe] = []] = tableOf({})

  it('has two operations at one method and path', () => {
    const entries = tableOf({}, probe ? { other: probe } : {})
    expect(() => openApiDocument({ version: '1' }, entries)).toThrow('POST /probe is declared twice')
  })

  it('names a successor that is not there', () => {
    const entries = tableOf({ supersededBy: 'nobody' })
    expect(() => openApiDocument({ version: '1' }, entries)).toThrow('nobody')
  })

  it('has a status without a description', () => {
    expect(() => openApiDocument({ version: '1' }, tableOf({ refusals: [418] }))).toThrow('418')
    expect(() => openApiDocument({ version: '1' }, tableOf({ replies: { 299: null } }))).toThrow('299')
  })
})
