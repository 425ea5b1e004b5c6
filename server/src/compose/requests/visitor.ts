import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Visitor } from '../../access/caller.ts'
import { bearerOf } from '../../platform/http/bearer.ts'
import { clientAddressOf } from '../../platform/http/connections/client-address.ts'
import { type Cookies, cookiesOf } from '../../platform/http/cookies.ts'
import type { Taken } from '../../platform/limits/rate-limit.ts'
import { mailLanguageOf } from '../../platform/mail/mail-language.ts'

/** The sender of a request, before the session is looked up. */
export function visitorOf(
  { baseUrl }: { baseUrl: string },
  request: FastifyRequest,
  reply: FastifyReply,
): Visitor {
  return {
    requestId: request.id,
    address: clientAddressOf(request),
    userAgent: request.headers['user-agent'],
    language: mailLanguageOf(request.headers['accept-language']),
    cookies: readableCookies(request, cookiesOf(request, reply, baseUrl.startsWith('https:'))),
    tellLimit: tellLimit(reply),
  }
}

/** Of several budgets that a call drew on, the one with the least left is told. */
export function tellLimit(reply: FastifyReply): (taken: Taken) => void {
  return (taken) => {
    const told = reply.getHeader('ratelimit-remaining')
    if (told !== undefined && Number(told) <= taken.remaining) return
    reply.headers({
      'ratelimit-limit': taken.limit,
      'ratelimit-remaining': taken.remaining,
      'ratelimit-reset': taken.resetSeconds,
    })
  }
}

/** A request with a bearer is known by it or not at all: a session that the browser adds does not stand in for it. */
function readableCookies(request: FastifyRequest, cookies: Cookies): Cookies {
  return bearerOf(request.headers) === undefined ? cookies : { ...cookies, read: () => undefined }
}
