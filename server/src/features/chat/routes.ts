import { CHAT_DATA_PATH } from '@atrium/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Pool } from '../../platform/database/database.ts'
import { type PipelinedStatement, runPipeline } from '../../platform/database/pipeline.ts'
import type { SharedConnections } from '../../platform/database/shared-connections.ts'
import { newWaitingBudget, withinWaitingBudget } from '../../platform/database/waiting-budget.ts'
import { requestNote } from '../../platform/http/request-note.ts'
import type { CrossOriginPaths, Server } from '../../platform/http/server.ts'
import { keepListening } from '../../platform/http/too-large.ts'
import { answerCall, answerRows, answerSent, refuseWriting } from './answers.ts'
import type { Claims } from './claims.ts'
import type { Answer, Question } from './exchange.ts'
import { faultOf, PostgrestFault } from './faults.ts'
import type { QueryString } from './query-string.ts'
import { enter } from './statements.ts'

export interface ChatDataNeeds {
  /** With the settings of `chatSettings`. */
  pool: Pool
  /** With the same settings: for pages of messages. */
  shared: SharedConnections
  /** @throws PostgrestFault 401 */
  readClaims(header: string | undefined): Promise<Claims>
  /** How long one request waits for the database. */
  databaseWaitMs: number
}

/** What a PostgREST client in a browser sends and reads. */
export const CHAT_CROSS_ORIGIN: CrossOriginPaths = {
  prefix: `${CHAT_DATA_PATH}/`,
  methods: ['GET', 'HEAD', 'POST'],
  allowedHeaders: [
    'authorization',
    'apikey',
    'content-type',
    'prefer',
    'accept-profile',
    'content-profile',
    'range',
  ],
  // what postgrest-js adds by itself: to a question that it asks again, and to every one in older versions
  allowedWhenAsked: ['x-retry-count', 'x-client-info'],
  exposedHeaders: ['content-range', 'preference-applied'],
}

const claimsOf = requestNote<Claims>('claims')

/** The chat data, for a PostgREST client with a token of `mintChatToken`. Errors have the form of PostgREST too. */
export async function serveChatData(server: Server, needs: ChatDataNeeds): Promise<void> {
  await server.register(
    async (scope) => {
      scope.setErrorHandler((error, request, reply) => {
        const fault = faultOf(error)
        if (fault.defect) request.log.error({ err: error, requestId: request.id }, 'request failed')
        if (fault.status === 413) keepListening(reply)
        return reply.status(fault.status).headers(fault.headers).send(fault.body)
      })
      scope.setNotFoundHandler((_request, reply) => {
        const { status, body } = new PostgrestFault(404, 'PGRST125', 'Invalid path specified in request URL')
        return reply.status(status).send(body)
      })
      claimsOf.prepare(scope)
      // before the body is read: who may not ask need not be listened to
      scope.addHook('onRequest', async (request) => {
        claimsOf.write(request, await needs.readClaims(request.headers.authorization))
        requireProfile(request)
      })
      const serve = (answer: (question: Question) => Promise<Answer>) => {
        return async (request: FastifyRequest, reply: FastifyReply) => {
          const question = questionOf(needs, request, claimsOf.read(request) as Claims)
          const budget = newWaitingBudget(needs.databaseWaitMs)
          const { status, headers = {}, text } = await withinWaitingBudget(budget, () => answer(question))
          reply.status(status).headers(headers)
          if (text !== undefined && !headers['content-type']) reply.type('application/json; charset=utf-8')
          return reply.send(text)
        }
      }
      scope.route({ method: ['GET', 'POST'], url: '/rpc/:name', handler: serve(answerCall) })
      scope.get('/:name', serve(answerRows))
      scope.post('/:name', serve(answerSent))
      scope.route({ method: ['PATCH', 'PUT', 'DELETE'], url: '/:name', handler: serve(refuseWriting) })
    },
    { prefix: CHAT_DATA_PATH },
  )
}

function questionOf(needs: ChatDataNeeds, request: FastifyRequest, claims: Claims): Question {
  const ask = async (statements: readonly PipelinedStatement[], shared?: SharedConnections) => {
    const entered = [enter(claims), ...statements]
    const [, ...rows] = await (shared?.run(entered) ?? runPipeline(needs.pool, entered))
    return rows
  }
  return {
    method: request.method,
    name: (request.params as { name: string }).name,
    query: request.query as QueryString,
    body: request.body,
    headers: request.headers,
    ask,
    askBriefly: (statements) => ask(statements, needs.shared),
  }
}

/** There is one schema; a client that names another is told so. */
function requireProfile(request: FastifyRequest): void {
  const name = request.method === 'GET' || request.method === 'HEAD' ? 'accept-profile' : 'content-profile'
  const given = request.headers[name]
  if (given === undefined || given === 'public') return
  throw new PostgrestFault(406, 'PGRST106', 'Invalid schema', {
    hint: 'Only the following schemas are exposed: public',
  })
}
