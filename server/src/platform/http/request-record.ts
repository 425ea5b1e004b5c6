import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyContextConfig, FastifyInstance, FastifyRequest } from 'fastify'
import type { WaitingHolder } from '../database/waiting-budget.ts'
import type { Log } from '../log.ts'
import { clientAddressOf } from './connections/client-address.ts'
import { networkOf } from './connections/network-address.ts'
import { type RequestNote, requestNote } from './request-note.ts'

/** Who sent a request, by ids alone. */
export interface Asker {
  organization?: string | undefined
  person?: string | undefined
  /** Id of the token of a program. */
  program?: string | undefined
}

/** A request that was answered. */
export interface AnsweredRequest {
  /** The id of the operation, or the pattern of the route: never anything of the address itself. */
  operation: string
  status: number
  seconds: number
  /** Of that: for the database, and for a share of it. */
  waitedMs: number
  /** Of that: the event loop ran for it. */
  loopMs: number
  /** Undefined where it was answered before its sender was known. */
  asker: Asker | undefined
}

interface RecordNeeds {
  onAnswered?: ((answered: AnsweredRequest) => void) | undefined
  traceOf: (request: FastifyRequest) => string | undefined
}

/** Written by the guard when it knows the caller, read for the line of the request. */
export const askerOf: RequestNote<Asker> = requestNote<Asker>('asker')

const REQUEST_ID = 'x-request-id'
/** What common proxies make; not so short that it would name many requests, nor anything that a log would stumble at. */
const REQUEST_ID_FORM = /^[A-Za-z0-9_.:=+/-]{8,128}$/
const NO_ROUTE = '(none)'

/** Ids of requests: that of a trusted proxy, so that its log and ours speak of the same, else one of our own. */
export function requestIds(isProxy: (address: string) => boolean): (request: IncomingMessage) => string {
  return ({ headers, socket }) => {
    const id = headers[REQUEST_ID]
    if (typeof id !== 'string' || !REQUEST_ID_FORM.test(id)) return randomUUID()
    return isProxy(socket.remoteAddress ?? '') ? id : randomUUID()
  }
}

/** What is named in logs and metrics of a route that serves an operation. */
export function routeOfOperation(operation: string): FastifyContextConfig {
  return { operation } as FastifyContextConfig
}

/** Of a route that only programs which look after this node ask, all day: no line tells of it, and no metric. */
export const UNRECORDED: FastifyContextConfig = { unrecorded: true } as FastifyContextConfig

/**
 * One line a request, with the pattern of its route and never the address: addresses carry tokens.
 * @param needs.onAnswered told of each of them too
 * @param needs.traceOf the trace that a request is part of
 */
export function recordRequests(
  server: FastifyInstance,
  log: Log,
  { onAnswered, traceOf }: RecordNeeds,
): void {
  askerOf.prepare(server)
  server.addHook('onResponse', (request, reply, done) => {
    if (isUnrecorded(request)) return done()
    const { operation, route } = placeOf(request)
    const trace = traceOf(request)
    const asker = askerOf.read(request)
    log.info(
      {
        requestId: request.id,
        ...(trace && { trace }),
        method: request.method,
        route,
        ...(operation && { operation }),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        network: networkOf(clientAddressOf(request)),
        ...asker,
      },
      'request',
    )
    const { loopMs, waitedMs } = request as FastifyRequest & WaitingHolder
    onAnswered?.({
      operation: operation ?? route,
      status: reply.statusCode,
      seconds: reply.elapsedTime / 1_000,
      waitedMs,
      loopMs,
      asker,
    })
    done()
  })
}

function isUnrecorded({ routeOptions }: FastifyRequest): boolean {
  return (routeOptions.config as { unrecorded?: boolean } | undefined)?.unrecorded === true
}

/** The operation that a request is for, where its route serves one, and the pattern of the route. */
export function placeOf({ routeOptions }: FastifyRequest): { operation: string | undefined; route: string } {
  const { operation } = (routeOptions.config ?? {}) as { operation?: string }
  return { operation, route: routeOptions.url ?? NO_ROUTE }
}
