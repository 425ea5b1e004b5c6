import { isUtf8 } from 'node:buffer'
import { Readable } from 'node:stream'
import fastifyCookie, { type FastifyCookieOptions } from '@fastify/cookie'
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
} from 'fastify'
import { headersOfLimit } from '../limits/rate-limited.ts'
import { type Log, withoutRedaction } from '../log.ts'
import { Refusal } from '../refusal.ts'
import { endStretch } from '../timing/loop-stretch.ts'
import { every, type Timer } from '../timing/timer.ts'
import { trustedProxies } from './connections/client-address.ts'
import { type ConnectionLimits, connectionLimits } from './connections/connection-limits.ts'
import { holdConnections, type RefusedReason } from './connections/connections.ts'
import { tellUntrustedProxy } from './connections/untrusted-proxy.ts'
import { cookieValueOf } from './cookies.ts'
import { answerTo } from './error-reply.ts'
import { boundInputs } from './input/bounded-input.ts'
import { isEncoded } from './input/encoded-body.ts'
import { parseExactly, wantsExactness } from './input/exact-json.ts'
import { type Formats, inputValidation } from './input/input-validation.ts'
import { serializers, validatorsOf } from './input/schema-compilers.ts'
import { keepListening } from './input/too-large.ts'
import { refuseUnfit } from './input/unfit.ts'
import { answerUnreadable, bareHeaders } from './input/unreadable.ts'
import { answerUnserved, PARAM_LENGTH_MAX } from './known-paths.ts'
import { answerOrigins, type CrossOriginPaths } from './origins/cross-origin.ts'
import { type AnsweredRequest, recordRequests, requestIds } from './request-record.ts'
import { traceOf, traceRequests } from './request-spans.ts'
import { type HeldLoop, holderOf, watchStretches } from './request-stretches.ts'

export interface ServerOptions {
  log: Log
  /** Addresses or networks with an X-Forwarded-For that is believed. */
  trustProxy: readonly string[]
  /** Origins with browsers that may call with credentials. */
  origins: readonly string[]
  /** Whether the office is reached by https. */
  secure: boolean
  /** Formats of input beside those of JSON Schema, or in their place. */
  formats?: Formats
  /** Paths with other headers of clients than the rest. */
  crossOrigin?: readonly CrossOriginPaths[]
  /** Beginnings of paths for which no rule about origins holds. */
  anyOrigin?: readonly string[]
  /** How requests that cannot even be routed are answered below some paths, in place of the usual refusal. */
  unroutable?: readonly UnroutablePaths[]
  /** Told of every request that was answered. */
  onAnswered?: (answered: AnsweredRequest) => void
  /** Told of every stretch of a request that held the event loop. */
  onHeld?: (held: HeldLoop) => void
  /** Told of the first proxy that speaks for others and is not believed. */
  onUntrustedProxy?: (address: string) => void
  /** True from the moment the process has been told to stop. */
  isDraining?: () => boolean
  /** How many connections are held; without it, as many as come. */
  connections?: {
    limits: ConnectionLimits
    /** Of what was refused or dropped. */
    onRefused?: (reason: RefusedReason) => void
    onDropped?: () => void
    /** Told the number that is open, whenever it is asked for. */
    onOpen?: (open: () => number) => void
  }
}

/** Paths that have an error form of their own. */
export interface UnroutablePaths {
  /** Beginning of their addresses. */
  prefix: string
  status: number
  body: object
}

const BODY_LIMIT_BYTES = 256 * 1024
/** From the first byte to the last. */
const REQUEST_WITHIN_MS = 30_000
/**
 * Longer than anything here takes: a client that reads nothing of an answer would otherwise hold it, and a connection,
 * for ever.
 */
const SILENT_FOR_MS = 60_000
/**
 * A header or body that trickles in must not hold a connection for ever. Both are said: where the time for headers is
 * the longer one (Node's own is 60 s), Node takes the two for each other.
 */
export const ARRIVAL_LIMITS = {
  requestTimeout: REQUEST_WITHIN_MS,
  connectionTimeout: SILENT_FOR_MS,
  http: { headersTimeout: REQUEST_WITHIN_MS, connectionsCheckingInterval: 5_000 },
}

export type Server = FastifyInstance

const NO_FORMATS: Formats = {}

/** Its types name the options of writing alone. */
const COOKIES = { parseOptions: { decode: cookieValueOf } } as FastifyCookieOptions

/** The HTTP server with everything that holds for every request; routes are added by the caller. */
export async function createServer(options: ServerOptions): Promise<Server> {
  const { formats = NO_FORMATS } = options
  const server = fastify({
    loggerInstance: options.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // No child logger a request: the lines of requests name their id themselves.
    childLoggerFactory: (logger) => logger,
    trustProxy: trustedProxies(options.trustProxy),
    bodyLimit: BODY_LIMIT_BYTES,
    ...ARRIVAL_LIMITS,
    // Node's own refusal has neither our shape nor our headers, and Node takes two: see `refuseUnfit`
    http: { ...ARRIVAL_LIMITS.http, requireHostHeader: false },
    // Requests that still arrive while the server closes are served: only new connections must go elsewhere.
    return503OnClosing: false,
    clientErrorHandler: answerUnreadable(options.secure),
    routerOptions: { maxParamLength: PARAM_LENGTH_MAX },
    genReqId: requestIds(trustedProxies(options.trustProxy) || (() => false)),
    requestIdHeader: false,
    frameworkErrors: answerUnroutable(options.unroutable ?? [], options.secure),
    schemaController: {
      compilersFactory: { buildValidator: validatorsOf(formats), buildSerializer: serializers },
    },
    ajv: inputValidation(formats),
  })
  watchStretches(server, options.onHeld ?? (() => {}))
  await server.register(fastifyCookie, COOKIES)
  addHeaders(server, options.secure)
  // before any route: one that is made earlier answers errors in another form
  answerErrors(server)
  await answerOrigins(server, {
    origins: options.origins,
    special: options.crossOrigin ?? [],
    exempt: options.anyOrigin ?? [],
    log: options.log,
  })
  parseJsonLeniently(server)
  boundInputs(server)
  // after the hooks, which it takes as they are by now
  answerUnserved(server)
  traceRequests(server, trustedProxies(options.trustProxy) || (() => false))
  recordRequests(server, withoutRedaction(options.log), { onAnswered: options.onAnswered, traceOf })
  limitConnections(server, options)
  closeIdleConnections(server, options)
  fitReplies(server)
  // last: what was put before our own answers (routes of machines) is behind it
  server.addHook('onReady', async () => refuseUnfit(server.server, options.secure))
  tellUntrustedProxy(server, trustedProxies(options.trustProxy), options.log, options.onUntrustedProxy)
  return server
}

/**
 * An absent body is no fault of form (operations without one are often called with a JSON content type).
 * @param options.exactly numbers that JavaScript would read as others come as they were written, see `parseExactly`
 */
export function parseJsonLeniently(server: Server, { exactly = false } = {}): void {
  server.removeAllContentTypeParsers()
  const plainly = server.getDefaultJsonParser('remove', 'ignore')
  const parse: typeof plainly = (request, text, done) => {
    if (!exactly || !wantsExactness(text)) return plainly(request, text, done)
    try {
      done(null, parseExactly(text))
    } catch (error) {
      done(error as Error)
    }
  }
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    if (bytes.length === 0) return done(null, undefined)
    const fault = faultOfBytes(request, bytes as Buffer)
    if (fault) return done(fault)
    void parse(request, bytes.toString(), (error, body) => {
      if (!error) return done(null, body)
      done(malformedJson('The body is not valid JSON'))
    })
  })
}

/** What would be read as something else than was meant. */
function faultOfBytes({ headers }: FastifyRequest, bytes: Buffer): Refusal | undefined {
  if (isEncoded(headers)) return Refusal.of('encoded-body')
  return isUtf8(bytes) ? undefined : malformedJson('The body is not valid UTF-8')
}

function malformedJson(message: string): Refusal {
  return Refusal.of('malformed-json', { message })
}

/** What cannot even be routed, such as an address that is no valid encoding. No hook runs for it. */
export function answerUnroutable(special: readonly UnroutablePaths[], secure: boolean) {
  const bare = bareHeaders(secure)
  return (_error: Error, request: { id: string; url: string }, reply: FastifyReply): void => {
    const headers = { ...bare, 'x-request-id': request.id }
    const { status, body } =
      special.find(({ prefix }) => request.url.startsWith(prefix)) ?? malformedRequest(request.id)
    void reply.status(status).headers(headers).send(body)
  }
}

function malformedRequest(requestId: string): Pick<UnroutablePaths, 'status' | 'body'> {
  const body = { code: 400, message: 'The request is malformed', error: 'malformed-request', requestId }
  return { status: 400, body }
}

/** Every error is answered in the form of the contract. */
export function answerErrors(server: Server): void {
  server.setErrorHandler((error, request, reply) => {
    const answer = answerTo(error, request.id)
    if (answer.defect) request.log.error({ err: error, requestId: request.id }, 'request failed')
    else if (answer.status >= 500) request.log.warn({ err: error, requestId: request.id }, 'request refused')
    if (answer.status === 413) keepListening(reply)
    if (answer.status === 401) reply.header('www-authenticate', challengeTo(request))
    const { retryAfterSeconds, limit } = answer
    if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds)
    if (limit !== undefined) reply.headers(headersOfLimit(limit, retryAfterSeconds ?? 0))
    return reply.status(answer.status).send(answer.body)
  })
}

/** What programs may come with (RFC 6750): browsers, which come by a cookie, show no question for it. */
function challengeTo({ headers }: FastifyRequest): string {
  return headers.authorization === undefined ? 'Bearer' : 'Bearer error="invalid_token"'
}

/** What every reply carries, unless its route says otherwise. */
function addHeaders(server: Server, secure: boolean): void {
  const constant = bareHeaders(secure)
  server.addHook('onRequest', (request, reply, done) => {
    reply.headers(constant).header('x-request-id', request.id)
    done()
  })
}

const LONG_REPLY_CHARACTERS = 32 * 1024

/**
 * What goes out in place of what was answered, in one hook, for each costs every request. Long text would be walked
 * through twice, to measure it and to write it: bytes are made once, and written as they are. And Fastify measures what
 * answers HEAD: a file with a stated length that is not opened for it would be told to be empty.
 */
function fitReplies(server: Server): void {
  server.addHook('onSend', (request, reply, payload, done) => {
    endStretch(holderOf(request))
    const isLong = typeof payload === 'string' && payload.length > LONG_REPLY_CHARACTERS
    if (isLong) return done(null, Buffer.from(payload))
    const isUnmade = payload === undefined && request.method === 'HEAD' && reply.hasHeader('content-length')
    done(null, isUnmade ? Readable.from([]) : payload)
  })
}

const IDLE_CHECK_MS = 50

/**
 * Closing must not wait for connections that carry nothing: the server looks for idle ones only once, so that one with
 * its last reply just under way would stay open for a minute.
 */
function closeIdleConnections(
  server: Server,
  { log, isDraining = () => false }: Pick<ServerOptions, 'log' | 'isDraining'>,
): void {
  let closing: Timer | undefined
  server.addHook('preClose', async () => {
    const close = () => server.server.closeIdleConnections()
    closing = every(IDLE_CHECK_MS, close, (err) => log.warn({ err }, 'idle connections cannot be closed'))
  })
  // A client with a last request is told not to send another one: it would meet a closed connection. From the notice
  // on, so that those who keep connections have let go of them when there are no more answers.
  server.addHook('onSend', (_request, reply, _payload, done) => {
    if (closing || isDraining()) reply.header('connection', 'close')
    done()
  })
  server.addHook('onClose', async () => closing?.stop())
}

const NO_LIMITS = connectionLimits({ openFiles: undefined, databasePoolSize: 0, all: 0, perAddress: 0 })

function limitConnections(
  server: Server,
  { connections = { limits: NO_LIMITS }, ...options }: ServerOptions,
): void {
  const { limits, onRefused, onDropped, onOpen } = connections
  const isProxy = trustedProxies(options.trustProxy) || (() => false)
  const held = holdConnections(server.server, {
    limits,
    isProxy,
    log: options.log,
    secure: options.secure,
    ...(onRefused && { onRefused }),
    ...(onDropped && { onDropped }),
  })
  onOpen?.(held.open)
}
