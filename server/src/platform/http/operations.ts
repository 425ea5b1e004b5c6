import {
  ErrorReply,
  errorsOf,
  type Operation,
  type OperationId,
  operations,
  type Reply,
  statusesOf,
} from '@atrium/contract'
import type { InputNotes } from '@atrium/contract/input-sentence'
import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify'
import type { TObject, TSchema } from 'typebox'
import { newWaitingBudget, type WaitingBudget, withinWaitingBudget } from '../database/waiting-budget.ts'
import { Refusal } from '../refusal.ts'
import { boundedBy } from './input/bounded-input.ts'
import { refusalOfInput } from './input/invalid-input.ts'
import { isDecodable } from './input/url-text.ts'
import { requestNote } from './request-note.ts'
import { routeOfOperation } from './request-record.ts'
import { holderOf } from './request-stretches.ts'
import type { Server } from './server.ts'

/**
 * A reply with a body that is JSON already, as the database has written it: it goes out as it is, where to read it and
 * to write it again would cost more than all the rest of the request. Nothing takes fields away that the contract does
 * not declare; tests refuse such a reply (`checkReplies`).
 */
export interface WrittenReply<Id extends OperationId> {
  status: Reply<Id>['status']
  body: Buffer
}

/** What is needed to serve one operation, for every kind of caller. */
export interface Serving<Caller> {
  /** Its id. */
  operation: string
  /** Decides who calls, before the body is read. @throws Refusal */
  admit(request: FastifyRequest, reply: FastifyReply): Promise<Caller>
  /** A body of bytes is one that is written already (`WrittenReply`). */
  handle(
    caller: Caller,
    input: Record<string, unknown>,
    reply: FastifyReply,
  ): Promise<{ status: number; body?: unknown }>
  /** Told of each answer how many characters, or bytes, it has. */
  answered?(caller: Caller, length: number): void
  /** How long one request waits for the database, all its statements together, before it is answered 503. */
  databaseWaitMs: number
}

const admitted = requestNote<{ caller: unknown; budget: WaitingBudget }>('admitted')

/** Adds the route of one operation: admit → bounds → validate → handle → reply by schema. Always in this order. */
export function serveOperation<Caller>(server: Server, declared: Operation, serving: Serving<Caller>): void {
  admitted.prepare(server)
  server.route({
    method: declared.method,
    url: declared.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    schema: {
      ...(declared.params ? { params: inputSchema(declared.params) } : {}),
      ...(declared.query ? { querystring: inputSchema(declared.query) } : {}),
      ...(declared.body ? { body: inputSchema(declared.body) } : {}),
      response: replySchemas(declared),
    },
    ...(declared.invalidStatus === 422 ? { errorHandler: throwUnprocessable } : {}),
    config: {
      ...routeOfOperation(serving.operation),
      bodyless: statusesWithoutBody(declared),
      errors: errorsOf(declared),
      ...boundedBy(declared),
    } as FastifyContextConfig,
    schemaErrorFormatter: (errors, part) => refusalOfInput(declared, errors, part) as unknown as Error,
    onRequest: async (request, reply) => {
      if (declared.supersededBy) markDeprecated(declared, reply)
      const budget = newWaitingBudget(serving.databaseWaitMs, holderOf(request))
      const caller = await withinWaitingBudget(budget, () => serving.admit(request, reply))
      admitted.write(request, { caller, budget })
    },
    preValidation: (request, _reply, done) => {
      if (declared.query && !isDecodable(request.url)) return done(undecodable())
      if (declared.body && request.body === undefined) request.body = {}
      done()
    },
    onSend: (request, _reply, payload, done) => {
      const known = admitted.read(request) as { caller: Caller } | undefined
      if (known && (typeof payload === 'string' || Buffer.isBuffer(payload)))
        serving.answered?.(known.caller, payload.length)
      done(null, payload)
    },
    handler: async (request, reply) => {
      const { caller, budget } = admitted.read(request) as { caller: Caller; budget: WaitingBudget }
      const input = {
        ...(declared.params ? (request.params as object) : {}),
        ...(declared.query ? (request.query as object) : {}),
        ...(declared.body ? (request.body as object) : {}),
      }
      const answer = await withinWaitingBudget(budget, () => serving.handle(caller, input, reply))
      if (Buffer.isBuffer(answer.body)) reply.type('application/json; charset=utf-8')
      return reply.status(answer.status).send(answer.body)
    },
  })
}

function undecodable(): Refusal {
  return Refusal.of('malformed-request', { message: 'The address contains text that is not valid UTF-8' })
}

function statusesWithoutBody(declared: Operation): number[] {
  return Object.keys(declared.replies)
    .map(Number)
    .filter((status) => declared.replies[status] === null)
}

function replySchemas(declared: Operation): Record<string, TSchema> {
  const schemas: Record<string, TSchema> = {}
  for (const status of statusesOf(declared)) schemas[status] = declared.replies[status] ?? ErrorReply
  for (const [status, schema] of Object.entries(declared.replies)) if (schema === null) delete schemas[status]
  return schemas
}

/** For sentences and the published document alone. */
const INPUT_NOTES = [
  'label',
  'sentence',
  'isName',
  'anyText',
  'isMailedCode',
  'documented',
] as const satisfies (keyof InputNotes)[]
/** One for each declared schema, so that its validator is compiled once for all servers of a process. */
const inputSchemas = new WeakMap<object, TSchema>()

/** The schema of an input. Objects without a word on other properties drop them; those that say so (metadata) keep them. */
export function inputSchema<Schema extends TSchema>(schema: Schema): Schema {
  const known = inputSchemas.get(schema)
  if (known) return known as Schema
  const made = closed(schema)
  inputSchemas.set(schema, made)
  return made
}

function closed<Schema extends TSchema>(schema: Schema): Schema {
  const copy = { ...(schema as object) } as Record<string, unknown>
  for (const note of INPUT_NOTES) delete copy[note]
  if (copy.type === 'object' && copy.properties) {
    copy.additionalProperties ??= false
    copy.properties = Object.fromEntries(
      Object.entries((schema as unknown as TObject).properties).map(([name, property]) => [
        name,
        closed(property as TSchema),
      ]),
    )
  }
  if (copy.anyOf) copy.anyOf = (copy.anyOf as TSchema[]).map(closed)
  if (copy.type === 'array' && copy.items) copy.items = closed(copy.items as TSchema)
  return copy as Schema
}

/** Where invalid input is 422, a body that is not JSON gets 422 too. The rest goes on to the handler of all errors. */
function throwUnprocessable(error: Error): never {
  const malformed = error instanceof Refusal && error.error === 'malformed-json'
  throw malformed ? new Refusal('unprocessable', error.message, { error: 'malformed-json' }) : error
}

function markDeprecated(declared: Operation, reply: FastifyReply): void {
  const successor = (operations as Record<string, Operation>)[declared.supersededBy as string]
  reply.header('deprecation', '@1795219200')
  // the braces of a path with a parameter are no part of an address (RFC 3986)
  if (successor) reply.header('link', `<${encodeURI(successor.path)}>; rel="successor-version"`)
}
