import { socialProviders } from '@atrium/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Visitor } from '../../access/caller.ts'
import { logSecurity } from '../../access/security-log.ts'
import type { KnownCallers } from '../../access/sessions/known-callers.ts'
import { SESSION_COOKIE } from '../../access/sessions/session-rules.ts'
import type { Server } from '../../platform/http/server.ts'
import { finishFederatedSignIn, type Returned, type ReturnNeeds } from './federated/finish-federated.ts'
import type { WayName } from './federated/redirect-store.ts'
import { returnPathOf } from './federated/start-federated.ts'
import { finishSignOnTest, isTestState } from './single-sign-on/finish-sign-on-test.ts'

export interface SignInRoutesNeeds extends ReturnNeeds {
  frontendUrl: string
  callers: Pick<KnownCallers, 'find'>
}

const WAYS: readonly WayName[] = [...socialProviders, 'sso']

/** The odd routes of signing in: where providers send browsers back to, which the front end finishes. */
export function serveSignInRoutes(
  server: Server,
  needs: SignInRoutesNeeds,
  visitorOf: (request: FastifyRequest, reply: FastifyReply) => Visitor,
): void {
  const receive = async (request: FastifyRequest, reply: FastifyReply, returnPath: string) => {
    const { searchParams: query } = new URL(request.raw.url ?? '/', needs.baseUrl)
    const visitor = visitorOf(request, reply)
    if (isTestState(query.get('state')))
      return reply.redirect(await testUrl(needs, visitor, returnPath, query), 303)
    const returned = await finishFederatedSignIn(needs, visitor, returnPath, query)
    if ('error' in returned)
      logSecurity(needs.log, 'sign-in-refused', { operation: 'return', reason: returned.error }, visitor)
    return reply.redirect(completionUrl(needs.frontendUrl, returned), 303)
  }
  for (const way of WAYS)
    server.get(returnPathOf(way), (request, reply) => receive(request, reply, returnPathOf(way)))
  server.get<{ Params: { connection: string } }>(returnPathOf('sso', ':connection'), (request, reply) =>
    receive(request, reply, returnPathOf('sso', request.params.connection)),
  )
}

/** A fixed page of the front end: never an address from a request. */
function completionUrl(frontendUrl: string, returned: Returned): string {
  const url = new URL(`${frontendUrl}/auth/complete`)
  url.search = new URLSearchParams(
    'code' in returned
      ? { code: returned.code, state: returned.state }
      : { error: returned.error, ...(returned.state ? { state: returned.state } : {}) },
  ).toString()
  return url.href
}

/** Where the front end tells how a test sign-in has ended. */
async function testUrl(
  needs: SignInRoutesNeeds,
  visitor: Visitor,
  returnPath: string,
  query: URLSearchParams,
): Promise<string> {
  const session = visitor.cookies.read(SESSION_COOKIE)
  const caller = session === undefined ? undefined : await needs.callers.find(session)
  const outcome = await finishSignOnTest(needs, visitor, caller, returnPath, query)
  const url = new URL(`${needs.frontendUrl}/single-sign-on/complete`)
  url.search = new URLSearchParams({ outcome }).toString()
  return url.href
}
