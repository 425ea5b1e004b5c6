import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import findMyWay, { type HTTPMethod, type Instance } from 'find-my-way'
import { Refusal } from '../refusal.ts'
import { answerTo } from './error-reply.ts'

type Router = Instance<findMyWay.HTTPVersion.V1>

/** Longest segment of a path that is a parameter, in characters: its schema judges it, not the router. */
export const PARAM_LENGTH_MAX = 16 * 1024

const ROUTER = Symbol('known paths')
type Noting = FastifyInstance & { [ROUTER]?: Router }

/**
 * Answers whatever no route serves: 405 with the methods that there are where the path is known (204 to OPTIONS), else
 * 404. To be called before routes are added.
 */
export function answerUnserved(server: FastifyInstance): void {
  const router = findMyWay({ maxParamLength: PARAM_LENGTH_MAX })
  server.decorate(ROUTER, router)
  server.addHook('onRoute', ({ method, url }) => {
    // preflights of every path
    if (url === '*') return
    for (const one of [method].flat() as HTTPMethod[])
      if (!router.hasRoute(one, url)) router.on(one, url, () => undefined)
  })
  // before a body is read: there is nobody to read it
  server.addHook('onRequest', async (request, reply) => {
    if (request.is404 && request.server === server) return answer(request, reply)
  })
  server.setNotFoundHandler(answer)

  function answer(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const allowed = allowedInstead(server, request)
    if (allowed) reply.header('allow', allowed.join(', '))
    if (allowed && request.method === 'OPTIONS') return reply.status(204).send()
    const refusal = allowed
      ? new Refusal('method-not-allowed', `This path takes ${allowed.join(', ')}, not ${request.method}`)
      : new Refusal('not-found', 'There is nothing here')
    const { status, body } = answerTo(refusal, request.id)
    return reply.status(status).send(body)
  }
}

/** The methods that a path is served by; undefined where it is by none, or by that of the request. */
export function allowedInstead(
  server: FastifyInstance,
  request: { method: string; url: string },
): readonly string[] | undefined {
  const router = (server as Noting)[ROUTER]
  const served = server.supportedMethods.filter(
    (method) => method !== 'OPTIONS' && router?.find(method as HTTPMethod, request.url),
  )
  if (served.length === 0 || served.includes(request.method)) return undefined
  return [...served, 'OPTIONS']
}
