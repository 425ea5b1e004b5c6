import { type Operation, type OperationId, operationEntries } from '@atrium/contract'
import type { FastifyReply } from 'fastify'
import type { AnyCaller, BotCaller, SignedInCaller } from '../access/caller.ts'
import { comparedInput } from '../access/idempotency/compared-input.ts'
import { runOnce } from '../access/idempotency/idempotency.ts'
import { isEmail } from '../directory/email-address.ts'
import { CHAT_CROSS_ORIGIN, CHAT_UNROUTABLE } from '../features/chat/routes.ts'
import { shareOfGuest } from '../features/guests/guest-share.ts'
import { SCIM_UNROUTABLE } from '../features/scim/routes.ts'
import { connectionLimits } from '../platform/http/connections/connection-limits.ts'
import { limitPipelinedRequests } from '../platform/http/connections/pipelined-requests.ts'
import { serveMachines } from '../platform/http/machine-routes.ts'
import { serveOperation } from '../platform/http/operations.ts'
import { checkReplies } from '../platform/http/reply-check.ts'
import { createServer, type Server, type ServerOptions } from '../platform/http/server.ts'
import { openFilesMax } from '../platform/open-files.ts'
import { type HandlerNeeds, handlers } from './handlers.ts'
import type { Office } from './office.ts'
import { heldLoopTold, payerOf } from './requests/held-loop.ts'

export interface AppOptions {
  /** Refuse to send what the contract does not declare: on in tests, where it shows a defect. */
  strictReplies: boolean
  /** True from the moment the process has been told to stop. */
  isDraining: () => boolean
}

type Answer = { status: number; body?: unknown }

type AnyHandler = (needs: HandlerNeeds, caller: AnyCaller, input: unknown) => Promise<Answer>

/** A request with a key: sent again, it gets the same answer. */
interface Repeatable {
  id: string
  declared: Operation
  caller: SignedInCaller | BotCaller
  input: Record<string, unknown>
  reply: FastifyReply
}

/** One object: what is compiled for it is kept. */
const FORMATS = { email: isEmail }

/** The HTTP face of an office: every operation of the contract, and the routes of its parts. Ready to listen. */
export async function buildApp(office: Office, options: AppOptions): Promise<Server> {
  const { config } = office
  const secure = config.baseUrl.startsWith('https:')
  const { guard, budgets } = office.access
  const { nodePage } = office.metrics
  const onHeld = heldLoopTold({ log: office.log, nodePage, budgets })
  const server = await createServer({
    log: office.log,
    trustProxy: config.trustProxy,
    origins: config.origins,
    secure,
    crossOrigin: [CHAT_CROSS_ORIGIN],
    unroutable: [CHAT_UNROUTABLE, SCIM_UNROUTABLE],
    anyOrigin: ['/webhook/recordings', '/sandbox/', '/rtc/validate', '/rtc/v1/validate'],
    formats: FORMATS,
    connections: connectionsOf(office),
    isDraining: options.isDraining,
    onAnswered(answered) {
      const { operation, status, seconds } = answered
      office.metrics.noteAnswered(answered)
      const labels = { operation, status: `${Math.floor(status / 100)}xx` }
      nodePage.observe('http_request_seconds', seconds, labels)
    },
    onHeld,
    onUntrustedProxy: office.metrics.noteUntrustedProxy,
  })
  if (options.strictReplies) checkReplies(server)
  payerOf.prepare(server)
  for (const [id, declared] of operationEntries) {
    if (declared.developmentOnly && config.environment === 'production') continue
    if (declared.pilotOnly && !config.pilotSignUp) continue
    serveOperation<AnyCaller>(server, declared, {
      operation: id,
      admit: (request, reply) => guard.admit([id, declared], request, reply),
      handle: handlerOf(office, id, declared),
      answered: budgets.chargeAnswer,
      databaseWaitMs: config.databaseWaitMs,
    })
  }

  for (const part of office.parts)
    await part.routes?.(server, { needs: office.needs, isDraining: options.isDraining })
  const machines = office.parts.flatMap(({ machineRoutes = [] }) => machineRoutes)
  await serveMachines(server, machines, { origins: config.origins, secure, onHeld })
  await server.ready()
  limitPipelinedRequests(server.server)
  return server
}

/** An operation within the budgets of its caller, once for each key. */
function handlerOf(office: Office, id: string, declared: Operation) {
  const { guard, budgets, signInRefusals } = office.access
  const handler = handlers[id as OperationId] as AnyHandler
  return async (caller: AnyCaller, input: Record<string, unknown>, reply: FastifyReply): Promise<Answer> => {
    const work = () => budgets.run(declared, caller, input, () => handler(office.needs, caller, input))
    const key = declared.idempotent && reply.request.headers['idempotency-key']
    const once = () => {
      budgets.requirePaid(caller)
      if (typeof key !== 'string' || !('user' in caller)) return work()
      return onceFor(office, key, { id, declared, caller, input, reply }, work)
    }
    try {
      const guest = isForGuests(declared) ? await shareOfGuest(office.needs, caller, input) : undefined
      return await guard.run(caller, reply, once, guest)
    } catch (error) {
      signInRefusals.note({ id, declared }, { visitor: caller, input, error })
      throw error
    }
  }
}

/** By the cookie of their place, or by their link. */
function isForGuests({ access, budgets }: Operation): boolean {
  return access.kind === 'guest' || (budgets?.includes('guest-per-address') ?? false)
}

async function onceFor(
  { access: { idempotency } }: Office,
  key: string,
  asked: Repeatable,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const { id, declared, caller, input, reply } = asked
  const isOfOrganization = declared.access.kind === 'organization'
  const compared = comparedInput(declared, input)
  const request = { operation: id, isOfOrganization, caller, key, input: compared }
  const answer = await runOnce(idempotency, request, work)
  if (answer.replayed) reply.header('idempotency-replayed', 'true')
  return answer
}

/** As many as this process may have open, and told in its metrics. */
function connectionsOf({ config, metrics: { nodePage } }: Office): NonNullable<ServerOptions['connections']> {
  const limits = connectionLimits({
    openFiles: openFilesMax(),
    databasePoolSize: config.databasePoolSize,
    all: config.connectionsMax,
    perAddress: config.connectionsPerAddress,
  })
  nodePage.set('http_connections_max', limits.all)
  return {
    limits,
    onRefused: (reason) => nodePage.count('http_connections_refused_total', 1, { reason }),
    onDropped: () => nodePage.count('http_connections_dropped_total'),
    onOpen: (open) => nodePage.collect('http_connections_open', open),
  }
}
