import { type OperationId, operationEntries } from '@atrium/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AnyCaller, Visitor } from '../access/caller.ts'
import { admit } from '../access/guard.ts'
import { isEmail } from '../directory/email-address.ts'
import { serveCalendarRoutes } from '../features/calendar/routes.ts'
import { CHAT_CROSS_ORIGIN, serveChatData } from '../features/chat/routes.ts'
import { serveGuestPage } from '../features/guests/routes.ts'
import { serveHealth } from '../features/health/routes.ts'
import { serveInvitePages } from '../features/invitations/routes.ts'
import { serveReference } from '../features/reference/routes.ts'
import { serveSignInRoutes } from '../features/sign-in/routes.ts'
import { serveStorage } from '../features/uploads/routes.ts'
import { ownRequest } from '../platform/database/waiting-budget.ts'
import { clientAddressOf } from '../platform/http/client-address.ts'
import { type Cookies, cookiesOf } from '../platform/http/cookies.ts'
import type { CrossSiteFacts } from '../platform/http/cross-site.ts'
import { serveMachines } from '../platform/http/machine-routes.ts'
import { serveOperation } from '../platform/http/operations.ts'
import { checkReplies } from '../platform/http/reply-check.ts'
import { createServer, type Server } from '../platform/http/server.ts'
import type { Taken } from '../platform/rate-limit.ts'
import { type HandlerNeeds, handlers } from './handlers.ts'
import type { Office } from './office.ts'

export interface AppOptions {
  /** Refuse to send what the contract does not declare: on in tests, where it shows a defect. */
  strictReplies: boolean
  /** True from the moment the process has been told to stop. */
  isDraining: () => boolean
}

type AnyHandler = (
  needs: HandlerNeeds,
  caller: AnyCaller,
  input: unknown,
) => Promise<{ status: number; body?: unknown }>

/** One object: what is compiled for it is kept. */
const FORMATS = { email: isEmail }

/** The HTTP face of an office: every operation of the contract, and the odd routes beside them. */
export async function buildApp(office: Office, options: AppOptions): Promise<Server> {
  const { config } = office
  const secure = config.baseUrl.startsWith('https:')
  const server = await createServer({
    log: office.log,
    trustProxy: config.trustProxy,
    origins: config.origins,
    secure,
    crossOrigin: [CHAT_CROSS_ORIGIN],
    anyOrigin: ['/webhook/recordings', '/sandbox/'],
    formats: FORMATS,
  })
  if (options.strictReplies) checkReplies(server)

  const guard = { db: office.needs.db, callers: office.callers, origins: config.origins }
  const visitorOf = (request: FastifyRequest, reply: FastifyReply): Visitor => ({
    requestId: request.id,
    address: clientAddressOf(request),
    cookies: readableCookies(request, cookiesOf(request, reply, secure)),
    tellLimit: tellLimit(reply),
  })
  for (const [id, declared] of operationEntries) {
    if (declared.developmentOnly && config.environment === 'production') continue
    if (declared.pilotOnly && !config.pilotSignUp) continue
    const handler = handlers[id as OperationId] as AnyHandler
    serveOperation<AnyCaller>(server, declared, {
      async admit(request, reply) {
        const params = request.params as Record<string, string>
        const facts = crossSiteFactsOf(request)
        const caller = await admit(guard, declared, visitorOf(request, reply), facts, params)
        await office.budgets.enter(declared, caller)
        if ('user' in caller) ownRequest({ person: caller.user.id, organization: caller.organization?.id })
        return caller
      },
      async handle(caller, input) {
        try {
          return await office.budgets.run(declared, caller, input, () => handler(office.needs, caller, input))
        } catch (error) {
          office.signInRefusals.note({ id, declared }, { visitor: caller, input, error })
          throw error
        }
      },
      databaseWaitMs: config.databaseWaitMs,
    })
  }

  serveSignInRoutes(server, { ...office.needs, log: office.log }, visitorOf)
  serveCalendarRoutes(server, config)
  serveInvitePages(server, office.needs)
  serveGuestPage(server, config)
  serveStorage(server, office.uploads)
  office.recordings.serve(server)
  await serveChatData(server, {
    ...office.chat,
    enter: (userId, reply) => office.budgets.call(userId, { tellLimit: tellLimit(reply) }),
    charge: (userId, calls) => office.budgets.charge(userId, calls),
  })
  serveHealth(server, {
    pool: office.pool,
    mail: office.mail,
    broker: office.realtime.broker,
    storage: office.uploads.storage,
    imageCheck: office.uploads.imageCheck,
    media: office.media.needs.media,
    isDraining: options.isDraining,
  })
  await serveReference(server, {
    environment: config.environment,
    baseUrl: config.baseUrl,
    brokerUrl: config.broker.publicUrl,
  })
  const machines = [
    office.realtime.machineRoutes,
    office.mediaEvents.webhook,
    ...(config.metrics.port === undefined ? [office.mediaEvents.metrics] : []),
  ]
  await serveMachines(server, machines, config.origins)
  office.realtime.serveClients?.(server)
  office.serveSandbox?.(server)
  return server
}

/** Whoever brings a bearer is known by it or not at all: a session that the browser adds does not stand in for it. */
function readableCookies(request: FastifyRequest, cookies: Cookies): Cookies {
  const hasBearer = /^bearer\b/i.test(request.headers.authorization ?? '')
  return hasBearer ? { ...cookies, read: () => undefined } : cookies
}

function crossSiteFactsOf(request: FastifyRequest): CrossSiteFacts {
  return {
    contentType: request.headers['content-type'],
    origin: request.headers.origin,
    fetchSite: request.headers['sec-fetch-site'] as string | undefined,
  }
}

/** Of several budgets that a call drew on, the one with the least left is told. */
function tellLimit(reply: FastifyReply): (taken: Taken) => void {
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
