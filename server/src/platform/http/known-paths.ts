import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import findMyWay, { type HTTPMethod, type Instance } from 'find-my-way'
import { Refusal } from '../refusal.ts'
import { answerTo } from './error-reply.ts'

type Router = Instance<findMyWay.HTTPVersion.V1>

/** Longest segment of a path that is a parameter, in characters: its schema judges it, not the router. */
export const PARAM_LENGTH_MAX = 16 * 1024

const ROUTER = Symbol('known paths')
const PAGE = Symbol('page of unknown paths')
type Noting = FastifyInstance & { [ROUTER]?: Router; [PAGE]?: SendPage }

/** Answers a request with the page. */
export type SendPage = (reply: FastifyReply) => FastifyReply | Promise<FastifyReply>

/**
 * Answers requests that no route serves: 405 with the methods that there are where the path is known (204 to OPTIONS),
 * else
 * 404. To be called before routes are added.
 */
export function answerUnserved(server: FastifyInstance): void {
  const router = findMyWay({ maxParamLength: PARAM_LENGTH_MAX })
  server.decorate(ROUTER, router)
  server.decorate(PAGE, undefined)
  server.addHook('onRoute', ({ method, url }) => {
    // preflights of every path
    if (url === '*') return
    for (const one of [method].flat() as HTTPMethod[])
      if (!router.hasRoute(one, url)) router.on(one, url, () => undefined)
  })
  // before a body is read: no route reads it
  server.addHook('onRequest', (request, reply, done) => {
    if (!request.is404 || request.server !== server) return done()
    void Promise.resolve(answer(request, reply)).catch(done)
  })
  server.setNotFoundHandler(answer)

  function answer(request: FastifyRequest, reply: FastifyReply): FastifyReply | Promise<FastifyReply> {
    const allowed = allowedInstead(server, request)
    if (allowed) reply.header('allow', allowed.join(', '))
    if (allowed && request.method === 'OPTIONS') return reply.status(204).send()
    const sendPage = (server as Noting)[PAGE]
    if (!allowed && sendPage && wantsPage(request)) return sendPage(reply.status(404))
    const refusal = allowed
      ? new Refusal('method-not-allowed', `This path takes ${allowed.join(', ')}, not ${request.method}`)
      : Refusal.of('not-found')
    const { status, body } = answerTo(refusal, request.id)
    return reply.status(status).send(body)
  }
}

/** Sends a page, with status 404, to a browser that opens an address without a route. */
export function answerUnknownByPage(server: FastifyInstance, sendPage: SendPage): void {
  ;(server as Noting)[PAGE] = sendPage
}

/** A browser that goes to an address names text/html; a program, and a page that loads something, do not. */
function wantsPage({ method, headers }: FastifyRequest): boolean {
  return (method === 'GET' || method === 'HEAD') && headers.accept?.includes('text/html') === true
}

/** The methods that a path is served by; undefined where it is by none, or by that of the request. */
export function allowedInstead(
  server: FastifyInstance,
  request: { method: string; url: string },
): readonly string[] | undefined {
  const router = (server as Noting)[ROUTER]
  const methods = server.supportedMethods.filter(
    (method) => method !== 'OPTIONS' && router?.find(method as HTTPMethod, request.url),
  )
  if (methods.length === 0 || methods.includes(request.method)) return undefined
  return [...methods, 'OPTIONS']
}
