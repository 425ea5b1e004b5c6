import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import fastifyCookie from '@fastify/cookie'
import fastifyCors from '@fastify/cors'
import fastifyHelmet from '@fastify/helmet'
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  fastify,
  LogController,
} from 'fastify'
import type { Log } from '../log.ts'
import { Refusal } from '../refusal.ts'
import { answerTo } from './error-reply.ts'
import { isTakenOver } from './upgrades.ts'

export interface ServerOptions {
  log: Log
  /** Addresses or networks whose X-Forwarded-For is believed. */
  trustProxy: readonly string[]
  /** Origins whose browsers may call with credentials. */
  origins: readonly string[]
  /** Whether the office is reached by https. */
  secure: boolean
}

const BODY_LIMIT_BYTES = 256 * 1024

export type Server = FastifyInstance

/** The HTTP server with everything that holds for every request; routes are added by the caller. */
export async function createServer(options: ServerOptions): Promise<Server> {
  const server = fastify({
    loggerInstance: options.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    trustProxy: options.trustProxy.length > 0 ? [...options.trustProxy] : false,
    bodyLimit: BODY_LIMIT_BYTES,
    // A header or body that trickles in must not hold a connection for ever.
    requestTimeout: 30_000,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    frameworkErrors: answerUnroutable,
    ajv: {
      customOptions: {
        removeAdditional: true,
        coerceTypes: false,
        useDefaults: true,
        allErrors: true,
      },
    },
  })
  await server.register(fastifyCookie)
  await server.register(fastifyCors, {
    origin: [...options.origins],
    credentials: true,
    methods: ['GET', 'POST'],
    allowedHeaders: ['content-type'],
    exposedHeaders: [
      'retry-after',
      'ratelimit-limit',
      'ratelimit-remaining',
      'ratelimit-reset',
      'deprecation',
      'link',
      'x-request-id',
    ],
    maxAge: 600,
    // Applied by the routes of the contract only: machine routes have rules of their own.
    strictPreflight: false,
  })
  await server.register(fastifyHelmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] },
    },
    strictTransportSecurity: options.secure,
    crossOriginResourcePolicy: { policy: 'same-site' },
    referrerPolicy: { policy: 'no-referrer' },
    frameguard: { action: 'deny' },
  })
  parseJsonLeniently(server)
  answerErrors(server)
  logRequests(server)
  closeUnusedConnections(server)
  return server
}

/** An absent body is no fault of form (operations without one are often called with a JSON content type). */
function parseJsonLeniently(server: Server): void {
  server.removeAllContentTypeParsers()
  const parse = server.getDefaultJsonParser('remove', 'remove')
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (text.length === 0) return done(null, undefined)
    void parse(request, text as string, (error, body) => {
      if (!error) return done(null, body)
      done(new Refusal('invalid', 'The body is not valid JSON', { error: 'malformed-json' }))
    })
  })
}

/** What cannot even be routed, such as an address that is no valid encoding. */
function answerUnroutable(_error: Error, request: { id: string }, reply: FastifyReply): void {
  const body = {
    code: 400,
    message: 'The request is malformed',
    error: 'malformed-request',
    requestId: request.id,
  }
  void reply.status(400).send(body)
}

/** Every error is answered in the form of the contract. */
export function answerErrors(server: Server): void {
  server.setErrorHandler((error, request, reply) => {
    const answer = answerTo(error, request.id)
    if (answer.defect) request.log.error({ err: error }, 'request failed')
    else if (answer.status >= 500) request.log.warn({ err: error }, 'request refused')
    // Fastify hangs up on a body that is too large; a client that is still writing would never see why.
    if (answer.status === 413) reply.removeHeader('connection')
    if (answer.retryAfterSeconds !== undefined) reply.header('retry-after', answer.retryAfterSeconds)
    return reply.status(answer.status).send(answer.body)
  })
  server.setNotFoundHandler((request, reply) => {
    const body = { code: 404, message: 'There is nothing here', error: 'not-found', requestId: request.id }
    return reply.status(404).send(body)
  })
}

/** One line a request, with the route's pattern and never the address: addresses carry tokens. */
function logRequests(server: Server): void {
  server.addHook('onSend', async (request, reply) => {
    reply.header('x-request-id', request.id)
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
  })
  server.addHook('onResponse', async (request, reply) => {
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? '(none)',
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'request',
    )
  })
}

const IDLE_CHECK_MS = 50

/**
 * Closing must not wait for connections that carry nothing: the server counts one that has not carried a request
 * yet (browsers open them ahead of use) as busy, and looks for idle ones only once, so that one whose last reply
 * was just under way stays open for a minute.
 */
function closeUnusedConnections(server: Server): void {
  const unused = new Set<Socket>()
  let closing: NodeJS.Timeout | undefined
  server.server.on('connection', (socket: Socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  server.server.on('request', (request) => unused.delete(request.socket))
  server.addHook('preClose', async () => {
    closing = setInterval(() => {
      server.server.closeIdleConnections()
      for (const socket of unused) if (!isTakenOver(socket)) socket.destroy()
    }, IDLE_CHECK_MS)
  })
  server.addHook('onClose', async () => clearInterval(closing))
}
