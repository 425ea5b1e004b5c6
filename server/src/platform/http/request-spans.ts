import type { FastifyInstance, FastifyRequest } from 'fastify'
import { beginSpan, isTracing, type Span, traceparentOf, within } from '../trace.ts'
import { requestNote } from './request-note.ts'
import { askerOf, placeOf } from './request-record.ts'

const spanOf = requestNote<Span>('span')

/**
 * Makes every request of a server a step, where tracing is on. It carries the pattern of its route, never the address.
 * @param isTrusted whether the step of the neighbour who sent it is taken over: that of a proxy, not of any client
 */
export function traceRequests(server: FastifyInstance, isTrusted: (address: string) => boolean): void {
  if (!isTracing()) return
  askerOf.prepare(server)
  spanOf.prepare(server)
  server.addHook('onRequest', (request, _reply, done) => {
    const parent = isTrusted(request.socket.remoteAddress ?? '')
      ? traceparentOf(request.headers.traceparent)
      : undefined
    const span = beginSpan(startOf(request), parent)
    if (!span) return done()
    spanOf.write(request, span)
    within(span, done)
  })
  // what comes after the body has arrived no longer knows who asked for it
  server.addHook('preHandler', (request, _reply, done) => within(spanOf.read(request), done))
  server.addHook('onResponse', (request, reply, done) => {
    const { organization } = askerOf.read(request) ?? {}
    const span = spanOf.read(request)
    span?.add({
      'http.response.status_code': reply.statusCode,
      ...(organization && { 'atrium.organization': organization }),
    })
    span?.end(reply.statusCode >= 500 ? new ServerFault() : undefined)
    done()
  })
}

class ServerFault extends Error {
  override name = 'ServerFault'
}

/** The trace that a request is part of, for its line in the log. */
export function traceOf(request: FastifyRequest): string | undefined {
  return spanOf.read(request)?.traceparent.split('-')[1]
}

function startOf(request: FastifyRequest): Parameters<typeof beginSpan>[0] {
  const { operation, route } = placeOf(request)
  return {
    name: operation ?? `${request.method} ${route}`,
    kind: 'server',
    attributes: { 'http.request.method': request.method, 'http.route': route },
  }
}
