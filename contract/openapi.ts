import type { TObject, TSchema } from 'typebox'
import { exampleOf, exampleOfRequest } from './examples.ts'
import { chapterNotes, ErrorReply, type Operation, operationEntries, statusesOf } from './index.ts'
import { openApiHead } from './openapi-head.ts'
import { describeRefusal, sharedRefusalOf, sharedRefusals } from './openapi-refusals.ts'
import { createShapes, type Shapes } from './published-shapes.ts'

type Json = Record<string, unknown>

export interface OpenApiOptions {
  /** Version of the office, as `info.version`. */
  version: string
  /** Where the office answers; left out, the document speaks of one on this machine. */
  serverUrl?: string
}

export interface OpenApiDocument {
  openapi: string
  info: Json
  servers: { url: string; description?: string }[]
  tags: { name: string; description?: string }[]
  paths: Record<string, Record<string, Json>>
  components: Record<'schemas' | 'responses' | 'headers' | 'securitySchemes', Json>
}

type Entries = readonly (readonly [id: string, declared: Operation])[]

const successDescriptions: Record<number, string> = {
  200: 'Success',
  201: 'Created',
  202: 'Accepted',
  204: 'Done, without a body',
}

const OWN_MACHINE = { url: 'http://localhost:3000', description: 'An office on this machine' }

const headers = {
  RetryAfter: { description: 'Seconds until the next try may succeed', schema: { type: 'integer' } },
  RateLimitLimit: {
    description: 'Calls that the budget allows when it is full',
    schema: { type: 'integer' },
  },
  RateLimitRemaining: { description: 'Calls that remain of it', schema: { type: 'integer' } },
  RateLimitReset: { description: 'Seconds until it is full again', schema: { type: 'integer' } },
  Deprecation: { description: 'Since when this path is deprecated', schema: { type: 'string' } },
  Link: { description: 'The operation that replaces it', schema: { type: 'string' } },
  IdempotencyReplayed: {
    description: 'The reply of an earlier request with this Idempotency-Key: nothing was made again',
    schema: { type: 'string', enum: ['true'] },
  },
}

const securitySchemes = {
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'atrium_session',
    description: 'Set at sign-in. HttpOnly: browsers send it by themselves.',
  },
  guest: {
    type: 'apiKey',
    in: 'cookie',
    name: 'atrium_guest_inviteId',
    description:
      'Set by `/guest/room-auth`, one for each link: in place of `inviteId` its name has that id without hyphens, and it begins with `__Host-` where the office is served over https.',
  },
  secureSession: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-atrium_session',
    description: 'The same where the office is served over https.',
  },
  serviceToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'A service token of an organization, made for this operation: `atr_…`.',
  },
  scimToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'The token of the directory of an organization.',
  },
}

/** Those that some operation of the document asks for. */
function schemesOf(paths: OpenApiDocument['paths']): Json {
  const names = Object.values(paths)
    .flatMap((path) => Object.values(path) as { security?: Record<string, unknown>[] }[])
    .flatMap(({ security = [] }) => security.flatMap((one) => Object.keys(one)))
  return Object.fromEntries(Object.entries(securitySchemes).filter(([name]) => names.includes(name)))
}

/**
 * The OpenAPI 3.1 document of the operation table (or of the given entries). Pure: the same table and options give the
 * same text.
 *
 * Throws where the table cannot be published: two shapes under one title, two operations at one method and path, an
 * unknown status or successor.
 */
export function openApiDocument(
  options: OpenApiOptions,
  entries: Entries = operationEntries,
): OpenApiDocument {
  const shapes = createShapes()
  const paths: OpenApiDocument['paths'] = {}
  for (const [id, declared] of entries) {
    paths[declared.path] ??= {}
    const item = paths[declared.path] as Record<string, Json>
    const method = declared.method.toLowerCase()
    if (item[method]) throw new Error(`${id}: ${declared.method} ${declared.path} is declared twice`)
    item[method] = describeOperation(id, declared, entries, shapes)
  }
  const responses = sharedRefusals(shapes.write(ErrorReply as unknown as Json), tooManyHeaders())
  return {
    openapi: '3.1.0',
    info: {
      title: 'Atrium',
      summary: 'The backend of a virtual office',
      description: openApiHead,
      version: options.version,
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [options.serverUrl ? { url: options.serverUrl } : OWN_MACHINE],
    // the chapters in the order of the table
    tags: [...new Set(entries.map(([, declared]) => declared.chapter))].map((name) => ({
      name,
      ...(chapterNotes[name] ? { description: chapterNotes[name] } : {}),
    })),
    paths,
    components: { schemas: shapes.all(), responses, headers, securitySchemes: schemesOf(paths) },
  }
}

function describeOperation(id: string, declared: Operation, entries: Entries, shapes: Shapes): Json {
  const description = describeInWords(declared, entries)
  const parameters = [
    ...parametersOf('path', declared.params, shapes),
    ...parametersOf('query', declared.query, shapes),
  ]
  return {
    operationId: id,
    summary: declared.summary,
    ...(description ? { description } : {}),
    tags: [declared.chapter],
    ...(declared.supersededBy ? { deprecated: true } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(declared.body ? { requestBody: requestBodyOf(declared.body, shapes) } : {}),
    responses: Object.fromEntries(
      statusesOf(declared).map((status) => [status, responseOf(id, declared, status, shapes)]),
    ),
    security: securityOf(declared),
    'x-access': { ...declared.access },
    ...(declared.developmentOnly ? { 'x-development-only': true } : {}),
  }
}

/** The description with what the table knows besides: the permission it needs, the operation to use instead. */
function describeInWords(declared: Operation, entries: Entries): string {
  const sentences = declared.description ? [declared.description] : []
  if (declared.access.kind === 'organization') {
    const { permission, orOneself } = declared.access
    const unless = orOneself ? ', except for oneself' : ''
    sentences.push(
      permission
        ? `Needs the permission ${permission} in the active organization${unless}.`
        : 'Needs an active organization.',
    )
    if (declared.access.serviceTokens) sentences.push('A service token may be made for it.')
    if (declared.access.bots) sentences.push('Bots may call it.')
  }
  if (declared.access.kind === 'any-organization') {
    sentences.push(`Needs the permission ${declared.access.permission} in the organization that it names.`)
  }
  if (declared.idempotent) sentences.push('Takes an `Idempotency-Key` (see Requests sent twice).')
  if (declared.supersededBy) {
    const successor = entries.find(([id]) => id === declared.supersededBy)
    if (!successor)
      throw new Error(`${declared.path}: its successor ${declared.supersededBy} is not declared`)
    const [id, { method, path }] = successor
    sentences.push(`Deprecated: use \`${id}\` (${method} ${path}).`)
  }
  return sentences.join(' ')
}

function parametersOf(place: 'path' | 'query', fields: TObject | undefined, shapes: Shapes): Json[] {
  if (!fields) return []
  return Object.entries(fields.properties).map(([name, schema]) => {
    const { description, ...shape } = schema as Json
    const required = place === 'path' || (fields.required ?? []).includes(name)
    return {
      name,
      in: place,
      required,
      ...(description ? { description } : {}),
      schema: shapes.write(shape),
      example: exampleOf(schema, name),
    }
  })
}

function requestBodyOf(body: TObject, shapes: Shapes): Json {
  const { oneOf = [], documented } = body as { oneOf?: unknown[]; documented?: { minProperties?: number } }
  const required = (body.required ?? []).length + oneOf.length + (documented?.minProperties ?? 0) > 0
  return { required, content: jsonContent(body, shapes, exampleOfRequest(body)) }
}

function responseOf(id: string, declared: Operation, status: number, shapes: Shapes): Json {
  const shape = declared.replies[status]
  const shared = shape === undefined ? sharedRefusalOf(declared, status) : undefined
  if (shared) return { $ref: `#/components/responses/${shared}` }
  if (shape === undefined)
    return describeRefusal(declared, status, shapes.write(ErrorReply as unknown as Json), tooManyHeaders())

  const description = successDescriptions[status]
  if (!description) throw new Error(`${id}: no description of a success with ${status}`)
  return {
    description,
    ...headersOfSuccess(declared),
    ...(shape ? { content: jsonContent(shape, shapes, exampleOf(shape)) } : {}),
  }
}

function headersOfSuccess({ supersededBy, idempotent }: Operation): Json {
  const found = {
    ...(supersededBy ? { Deprecation: headerReference('Deprecation'), Link: headerReference('Link') } : {}),
    ...(idempotent ? { 'Idempotency-Replayed': headerReference('IdempotencyReplayed') } : {}),
  }
  return Object.keys(found).length > 0 ? { headers: found } : {}
}

function tooManyHeaders(): Json {
  return {
    'Retry-After': headerReference('RetryAfter'),
    'RateLimit-Limit': headerReference('RateLimitLimit'),
    'RateLimit-Remaining': headerReference('RateLimitRemaining'),
    'RateLimit-Reset': headerReference('RateLimitReset'),
  }
}

function headerReference(name: keyof typeof headers): Json {
  return { $ref: `#/components/headers/${name}` }
}

/** One or the other: the name of the cookie depends on whether the office is served over https. */
const SESSION = [{ session: [] }, { secureSession: [] }]

function securityOf(declared: Operation): Json[] {
  switch (declared.access.kind) {
    case 'public':
      return []
    case 'session':
    case 'any-organization':
      return SESSION
    case 'organization':
      return declared.access.serviceTokens || declared.access.bots
        ? [...SESSION, { serviceToken: [] }]
        : SESSION
    case 'guest':
      return [{ guest: [] }]
    case 'bearer':
      return [{ scimToken: [] }]
  }
}

function jsonContent(schema: TSchema, shapes: Shapes, example: unknown): Json {
  return { 'application/json': { schema: shapes.write(schema as Json), example } }
}
