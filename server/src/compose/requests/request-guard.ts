import type { Operation } from '@atrium/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Budgets } from '../../access/budgets/budgets.ts'
import type { AnyCaller, CallerFor } from '../../access/caller.ts'
import { admit, type Guarded, type GuardNeeds, type RequestFacts } from '../../access/guard.ts'
import { bearerOf } from '../../platform/http/bearer.ts'
import { type Asker, askerOf } from '../../platform/http/request-record.ts'
import type { Owner } from '../../platform/limits/fair-shares.ts'
import type { RequestsUnderWay } from '../../platform/limits/requests-under-way.ts'
import { payerOf } from './held-loop.ts'
import { visitorOf } from './visitor.ts'

/** The one way in, of operations and of SCIM. */
export interface RequestGuard {
  /**
   * Before the body of a request: who sends it and whether they may, a call of their budgets, their name in the line of
   * the log, and their share of the database. @throws Refusal
   */
  admit<Declared extends Asked>(
    asked: readonly [id: string, declared: Declared],
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<CallerFor<Declared['access']>>
  /**
   * Runs the work of a request as soon as the caller's shares leave room.
   * @param guest the owner of a visitor's share, where they are a guest
   * @throws Refusal too-many
   */
  run<T>(caller: AnyCaller, reply: FastifyReply, work: () => Promise<T>, guest?: Owner): Promise<T>
}

type Asked = Guarded & Pick<Operation, 'budgets'>

export function requestGuard(needs: {
  guard: GuardNeeds
  budgets: Pick<Budgets, 'enter'>
  underWay: RequestsUnderWay
  baseUrl: string
}): RequestGuard {
  return {
    async admit([id, declared], request, reply) {
      const params = request.params as Record<string, string>
      const onKnown = (caller: AnyCaller) => askerOf.write(request, whoIs(caller))
      const facts = { ...factsOf(request), onKnown }
      const caller = await admit(needs.guard, [id, declared], visitorOf(needs, request, reply), facts, params)
      payerOf.write(request, caller)
      const turn = needs.budgets.enter(declared, caller)
      if (turn) await turn
      return caller
    },
    run(caller, reply, work, guest) {
      const owner = ownerOf(caller) ?? guest
      return owner ? needs.underWay.run(owner, reply, work) : work()
    },
  }
}

/** The owner of a request's share; a program counts as a person does. */
function ownerOf(caller: AnyCaller): Owner | undefined {
  if ('user' in caller) return { person: caller.user.id, organization: caller.organization?.id }
  if ('token' in caller) return { person: `token ${caller.token.id}`, organization: caller.organization.id }
  return undefined
}

/** For the log: ids as in the audit trail, and nothing that a person is called by. */
export function whoIs(caller: AnyCaller): Asker {
  if ('user' in caller) return { organization: caller.organization?.id, person: caller.user.id }
  if ('token' in caller) return { organization: caller.organization.id, program: caller.token.id }
  return {}
}

function factsOf(request: FastifyRequest): RequestFacts {
  return {
    bearer: bearerOf(request.headers),
    contentType: request.headers['content-type'],
    origin: request.headers.origin,
    fetchSite: request.headers['sec-fetch-site'] as string | undefined,
  }
}
