import { isUtf8 } from 'node:buffer'
import { SCIM_PATH } from '@atrium/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TokenCaller } from '../../access/caller.ts'
import {
  newWaitingBudget,
  type WaitingBudget,
  withinWaitingBudget,
} from '../../platform/database/waiting-budget.ts'
import { ANY_TEXTS } from '../../platform/http/input/bounded-input.ts'
import { isEncoded } from '../../platform/http/input/encoded-body.ts'
import { keepListening } from '../../platform/http/input/too-large.ts'
import { isDecodable } from '../../platform/http/input/url-text.ts'
import { allowedInstead } from '../../platform/http/known-paths.ts'
import { requestNote } from '../../platform/http/request-note.ts'
import { holderOf } from '../../platform/http/request-stretches.ts'
import type { Server, UnroutablePaths } from '../../platform/http/server.ts'
import type { Log } from '../../platform/log.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { DirectoryNeeds } from './connections/directory-caller.ts'
import { type Endpoint, endpoints, unsupported } from './endpoints.ts'
import { faultAnswer, invalid, notFound, ScimFault } from './protocol/faults.ts'
import { noteRefusal } from './refusals/note-refusal.ts'

export interface ScimRoutesNeeds extends DirectoryNeeds {
  /** The guard of all requests: who brings a token of a directory. @throws Refusal */
  admit(request: FastifyRequest, reply: FastifyReply): Promise<TokenCaller>
  /** Runs the work of a request within the shares of its caller. @throws Refusal too-many */
  run<T>(caller: TokenCaller, reply: FastifyReply, work: () => Promise<T>): Promise<T>
  /** How long one request waits for the database. */
  databaseWaitMs: number
  log: Pick<Log, 'warn'>
}

const CONTENT_TYPE = 'application/scim+json; charset=utf-8'
/** A group of some thousand members, written out. */
const BODY_LIMIT_BYTES = 1024 * 1024

/** Addresses that are no text: they are refused before a token is looked at. */
export const SCIM_UNROUTABLE: UnroutablePaths = {
  prefix: `${SCIM_PATH}/`,
  status: 400,
  body: faultAnswer(notText(), '').body,
}

const admitted = requestNote<{ caller: TokenCaller; budget: WaitingBudget }>('directory admitted')

/** SCIM 2.0 for the directory of an organization: a bearer token decides alone, and errors have the form of SCIM. */
export async function serveScim(server: Server, needs: ScimRoutesNeeds): Promise<void> {
  await server.register(
    async (scope) => {
      answerFaults(scope, needs)
      readBodies(scope)
      admitted.prepare(scope)
      // before the body is read: who may not ask need not be listened to
      scope.addHook('onRequest', async (request, reply) => {
        const budget = newWaitingBudget(needs.databaseWaitMs, holderOf(request))
        const caller = await withinWaitingBudget(budget, () => needs.admit(request, reply))
        admitted.write(request, { caller, budget })
        if (request.is404) throw unserved(server, request, reply)
        if (!isDecodable(request.url)) throw notText()
      })
      for (const endpoint of endpoints) add(scope, needs, endpoint)
      for (const route of unsupported) scope.route({ ...route, handler: refuseUnsupported })
    },
    { prefix: SCIM_PATH },
  )
}

function notText(): ScimFault {
  return invalid('invalidSyntax', 'The address is not valid UTF-8')
}

function refuseUnsupported(): never {
  throw new ScimFault(501, 'This is not supported here', undefined, 'not-supported')
}

function unserved(server: Server, request: FastifyRequest, reply: FastifyReply): ScimFault {
  const allowed = allowedInstead(server, request)
  if (!allowed) return notFound('endpoint')
  reply.header('allow', allowed.join(', '))
  return new ScimFault(405, `This path takes ${allowed.join(', ')}`, undefined, 'method-not-allowed')
}

function answerFaults(scope: Server, needs: ScimRoutesNeeds): void {
  scope.setErrorHandler(async (error, request, reply) => {
    const note = admitted.read(request)
    if (note) {
      const { params, body, method, routeOptions } = request
      const url = request.is404 ? undefined : routeOptions.url?.slice(SCIM_PATH.length)
      await withinWaitingBudget(note.budget, () =>
        noteRefusal(needs, note.caller, { method, url, params, body }, error),
      )
    }
    const { status, body, headers, defect } = faultAnswer(error, request.id)
    if (defect) request.log.error({ err: error, requestId: request.id }, 'request failed')
    if (status === 413) keepListening(reply)
    return reply.status(status).headers(headers).type(CONTENT_TYPE).send(JSON.stringify(body))
  })
  // so that what is not found is answered by the hook, and in the form of SCIM
  scope.setNotFoundHandler(() => {
    throw notFound('endpoint')
  })
}

/** Directories send either type. What a body holds is read name by name: nothing of it is copied as it came. */
function readBodies(scope: Server): void {
  scope.addContentTypeParser('application/scim+json', { parseAs: 'buffer' }, (request, bytes, done) => {
    if (bytes.length === 0) return done(null, undefined)
    if (isEncoded(request.headers)) return done(Refusal.of('encoded-body'))
    if (!isUtf8(bytes as Buffer)) return done(invalid('invalidSyntax', 'The body is not valid UTF-8'))
    try {
      done(null, JSON.parse(bytes.toString()))
    } catch {
      done(invalid('invalidSyntax', 'The body is not valid JSON'))
    }
  })
}

function add(scope: Server, needs: ScimRoutesNeeds, { method, url, handle }: Endpoint): void {
  scope.route({
    method,
    url,
    bodyLimit: BODY_LIMIT_BYTES,
    // a text over its bound is for its reader to judge: it may stand beside what takes access away
    config: ANY_TEXTS,
    handler: async (request, reply) => {
      const { caller, budget } = admitted.read(request) as { caller: TokenCaller; budget: WaitingBudget }
      const directory = { organization: caller.organization.id, author: caller }
      const {
        status,
        body,
        headers = {},
      } = await withinWaitingBudget(budget, () =>
        needs.run(caller, reply, () => handle(needs, directory, request)),
      )
      reply.status(status).headers(headers)
      // as text: a serializer made from a schema would know no attribute
      return body === undefined ? reply.send() : reply.type(CONTENT_TYPE).send(JSON.stringify(body))
    },
  })
}
