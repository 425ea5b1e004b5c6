import { CHAT_DATA_PATH } from '@atrium/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { CALL_CHARACTERS, CALL_MS } from '../../access/budgets/budgets.ts'
import type { AtWork } from '../../access/budgets/call-budget.ts'
import type { Pool } from '../../platform/database/database.ts'
import { type PipelinedStatement, runPipeline, type TextRows } from '../../platform/database/pipeline.ts'
import { newWaitingBudget, withinWaitingBudget } from '../../platform/database/waiting-budget.ts'
import { boundedBy } from '../../platform/http/input/bounded-input.ts'
import { keepListening } from '../../platform/http/input/too-large.ts'
import { isDecodable } from '../../platform/http/input/url-text.ts'
import { allowedInstead } from '../../platform/http/known-paths.ts'
import type { CrossOriginPaths } from '../../platform/http/origins/cross-origin.ts'
import { requestNote } from '../../platform/http/request-note.ts'
import { askerOf } from '../../platform/http/request-record.ts'
import { holderOf } from '../../platform/http/request-stretches.ts'
import { parseJsonLeniently, type Server, type UnroutablePaths } from '../../platform/http/server.ts'
import type { Owner } from '../../platform/limits/fair-shares.ts'
import type { RequestsUnderWay } from '../../platform/limits/requests-under-way.ts'
import { answerCall, answerRows, answerSent, refuseWriting } from './answers.ts'
import type { Claims } from './claims.ts'
import type { Answer, Question } from './exchange.ts'
import { faultOf, noSuchPath, PostgrestFault, unreadable, unservedFault } from './faults.ts'
import { preferencesOf } from './preferences.ts'
import type { QueryString } from './query-string.ts'
import { SENT_BOUNDS } from './sent-bounds.ts'
import { ANSWER_BYTES_MAX, enter } from './statements.ts'

export interface ChatDataNeeds {
  /** With the settings of `chatSettings`: for functions, and what is sent. */
  pool: Pool
  /** With the same settings: for rows of tables. */
  rowsPool: Pool
  /** Takes a call from the budget of a person. @throws Refusal too-many */
  enter(person: AtWork, reply: FastifyReply): Promise<unknown> | undefined
  /** Of a call that waited behind others of the person. @throws Refusal too-many, where those have used up everything */
  requirePaid(person: AtWork): void
  /** Takes more of them, for an answer that was worth several. */
  charge(person: AtWork, calls: number): void
  underWay: RequestsUnderWay
  /** How many statements of one person and one organization use `pool`, and `rowsPool`, at the same time. */
  callsUnderWay: RequestsUnderWay
  rowsUnderWay: RequestsUnderWay
  /** @throws PostgrestFault 401 */
  readClaims(header: string | undefined): Promise<Claims>
  /** How long one request waits for the database. */
  databaseWaitMs: number
}

/** What a PostgREST client in a browser sends and reads. */
export const CHAT_CROSS_ORIGIN: CrossOriginPaths = {
  prefix: `${CHAT_DATA_PATH}/`,
  // the last three are refused; a browser whose preflight failed could not tell why
  methods: ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE'],
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

const NO_SUCH_PATH = noSuchPath()
/** Addresses that are not text: the router does not even come to know where they lead. */
export const CHAT_UNROUTABLE: UnroutablePaths = {
  prefix: `${CHAT_DATA_PATH}/`,
  status: NO_SUCH_PATH.status,
  body: NO_SUCH_PATH.body,
}

/** The SQL state of an answer that would be longer than the bound. */
const TOO_LONG = '54000'

const claimsOf = requestNote<Claims>('claims')

/** The chat data, for a PostgREST client with a token of `mintChatToken`. Errors have the form of PostgREST too. */
export async function serveChatData(server: Server, needs: ChatDataNeeds): Promise<void> {
  await server.register(
    async (scope) => {
      answerFaults(scope)
      // ids are bigint
      parseJsonLeniently(scope, { exactly: true })
      requireClaims(scope, needs, (request) => unservedFault(request, allowedInstead(server, request)))
      const serve = (answer: (question: Question) => Promise<Answer>) => answering(needs, answer)
      const config = boundedBy(SENT_BOUNDS)
      scope.get('/', refuseDescription)
      scope.route({ method: ['GET', 'POST'], url: '/rpc/:name', config, handler: serve(answerCall) })
      scope.get('/:name', { config }, serve(answerRows))
      scope.post('/:name', { config }, serve(answerSent))
      const changing = ['PATCH', 'PUT', 'DELETE'] as const
      scope.route({ method: [...changing], url: '/:name', config, handler: serve(refuseWriting) })
    },
    { prefix: CHAT_DATA_PATH },
  )
}

function answerFaults(scope: Server): void {
  scope.setErrorHandler((error, request, reply) => {
    const fault = faultOf(error)
    if (fault.defect) request.log.error({ err: error, requestId: request.id }, 'request failed')
    if (fault.status === 413) keepListening(reply)
    return reply.status(fault.status).headers(fault.headers).send(fault.body)
  })
}

/** Refuses before the body is read: a caller without a right to ask need not be listened to. */
function requireClaims(
  scope: Server,
  needs: ChatDataNeeds,
  unserved: (request: FastifyRequest) => PostgrestFault,
): void {
  // so that what is not found here is answered by the hook below
  scope.setNotFoundHandler((request) => {
    throw unserved(request)
  })
  claimsOf.prepare(scope)
  scope.addHook('onRequest', async (request, reply) => {
    const claims = await needs.readClaims(request.headers.authorization)
    claimsOf.write(request, claims)
    askerOf.write(request, { organization: claims.organizationId, person: claims.userId })
    await needs.enter(atWork(claims), reply)
    if (request.is404) throw unserved(request)
    if (!isDecodable(request.url)) throw undecodable(request.url)
    requireProfile(request)
  })
}

/** A handler that asks the database within the budget and the shares of its person, and charges what the answer cost. */
function answering(needs: ChatDataNeeds, answer: (question: Question) => Promise<Answer>) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const claims = claimsOf.read(request) as Claims
    const person = atWork(claims)
    const owner = { person: claims.userId, organization: claims.organizationId }
    const charge = (calls: number) => {
      if (calls >= 1) needs.charge(person, Math.floor(calls))
    }
    const question = questionOf(needs, { request, reply, claims, owner }, charge)
    const work = async () => {
      needs.requirePaid(person)
      const made = await answer(question).catch((error: unknown) => {
        // it was made, up to the bound
        if ((error as { code?: unknown }).code === TOO_LONG) charge(ANSWER_BYTES_MAX / CALL_CHARACTERS)
        throw error
      })
      // before the next one who waits behind this person has their turn
      charge((made.calls ?? 0) + (made.text?.length ?? 0) / CALL_CHARACTERS)
      return made
    }
    const budget = newWaitingBudget(needs.databaseWaitMs, holderOf(request))
    const made = await withinWaitingBudget(budget, () => needs.underWay.run(owner, reply, work))
    return send(reply, made)
  }
}

function send(reply: FastifyReply, { status, headers = {}, text }: Answer): FastifyReply {
  reply.status(status).headers(headers)
  if (text !== undefined && !headers['content-type']) reply.type('application/json; charset=utf-8')
  return reply.send(text)
}

function atWork({ userId, organizationId }: Claims): AtWork {
  return { user: { id: userId }, organization: { id: organizationId } }
}

/** What a request brings to the answer. */
interface Asking {
  request: FastifyRequest
  reply: FastifyReply
  claims: Claims
  owner: Owner
}

function questionOf(
  needs: ChatDataNeeds,
  { request, reply, claims, owner }: Asking,
  chargeFor: (calls: number) => void,
): Question {
  const entered = (statements: readonly PipelinedStatement[]) => [enter(claims), ...statements]
  const answered = async (running: Promise<TextRows[]>) => {
    const [, ...rows] = await running
    return rows
  }
  return {
    method: request.method,
    name: (request.params as { name: string }).name,
    query: request.query as QueryString,
    body: request.body,
    headers: request.headers,
    preferences: preferencesOf(request.headers),
    ask: (statements) =>
      needs.callsUnderWay.run(owner, reply, () => answered(runPipeline(needs.pool, entered(statements)))),
    askForRows(statements) {
      const onTook = (ms: number) => chargeFor(ms / CALL_MS)
      return needs.rowsUnderWay.run(owner, reply, () =>
        answered(runPipeline(needs.rowsPool, entered(statements), onTook)),
      )
    },
  }
}

/** PostgREST describes itself there. */
function refuseDescription(): never {
  throw new PostgrestFault(404, 'PGRST126', 'Root endpoint metadata is disabled', {
    hint: 'What there is stands in docs/chat.md of the source, and in /openapi.json.',
  })
}

function undecodable(url: string): PostgrestFault {
  return unreadable('query', url.slice(url.indexOf('?') + 1), 'it is not percent-encoded UTF-8')
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
