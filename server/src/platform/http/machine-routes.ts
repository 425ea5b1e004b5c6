import type { IncomingMessage, ServerResponse } from 'node:http'
import { fastify } from 'fastify'
import { bareHeaders } from './input/unreadable.ts'
import { answerUnserved } from './known-paths.ts'
import { allowsOrigin } from './origins/origins.ts'
import { traceRequests } from './request-spans.ts'
import { type HeldLoop, watchStretches } from './request-stretches.ts'
import { ARRIVAL_LIMITS, answerErrors, answerUnroutable, type Server } from './server.ts'

/** Routes of which every path begins with `prefix`. */
export interface MachineRoutes {
  prefix: string
  /** There is no path but the prefix itself. */
  exact?: boolean
  /** Errors are answered in a form of its own: `addTo` sees to it. What no route serves is answered as everywhere. */
  ownErrors?: boolean
  /** A secret or signature decides alone: an `Origin` that a proxy passes on is not looked at. */
  anyOrigin?: boolean
  /** A secret of programs is asked for: what is not refused is read by no browser, and has no headers for one. */
  programsOnly?: boolean
  /** Of the largest body; 256 KiB where not given. */
  bodyLimitBytes?: number
  addTo(server: Server): void
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void

/** More than the largest frame of a client, 128 KiB, with what the broker adds to it. */
const BODY_LIMIT_BYTES = 256 * 1024

/**
 * Serves routes that only other programs of ours call, many times a second, on the server's own port but apart from
 * what is there for browsers and people: no cookies, CORS, nor a log line a request. Errors are answered as everywhere,
 * and a browser that is led there is told as much as everywhere. A page of an origin that may not call is left to the
 * office, which refuses it.
 * @param origins of browsers that may call
 * @param secure whether the office is reached by https
 * @param onHeld told of every stretch of a request that held the event loop
 */
export async function serveMachines(
  server: Server,
  routes: readonly MachineRoutes[],
  {
    origins,
    secure,
    onHeld,
  }: { origins: readonly string[]; secure: boolean; onHeld?: ((held: HeldLoop) => void) | undefined },
): Promise<void> {
  const all = routes.map((own) => ({ own, machines: machineServer(own, { secure, onHeld }) }))
  for (const { machines } of all) await machines.ready()
  const http = server.server
  // The first that hears of a request is the one that answers it; others only take note of its connection.
  const [answer] = http.listeners('request') as [Listener]
  http.off('request', answer)
  http.prependListener('request', (request, response) => {
    const found = all.find(({ own }) => isFor(own, request.url ?? ''))
    if (found && mayCall(found.own, request.headers.origin, origins))
      return found.machines.routing(request, response)
    answer.call(http, request, response)
  })
  server.addHook('onClose', async () => {
    for (const { machines } of all) await machines.close()
  })
}

/** A server of such routes alone, for a port of their own. */
export function machineServer(
  routes: MachineRoutes,
  { secure, onHeld }: { secure: boolean; onHeld?: ((held: HeldLoop) => void) | undefined },
): Server {
  const machines = fastify({
    logger: false,
    // of a port of its own: on that of the office, the office's hold
    ...ARRIVAL_LIMITS,
    bodyLimit: routes.bodyLimitBytes ?? BODY_LIMIT_BYTES,
    // no line of a log would bear it
    genReqId: () => '',
    frameworkErrors: answerUnroutable([], secure),
  }) as unknown as Server
  if (onHeld) watchStretches(machines, onHeld)
  const headers = bareHeaders(secure)
  machines.addHook('onSend', (_request, reply, payload, done) => {
    if (!routes.programsOnly || reply.statusCode >= 400) reply.headers(headers)
    done(null, payload)
  })
  if (!routes.ownErrors) answerErrors(machines)
  answerUnserved(machines)
  // other programs of ours, which send no trace of their own
  traceRequests(machines, () => false)
  routes.addTo(machines)
  return machines
}

function mayCall(
  { anyOrigin }: MachineRoutes,
  origin: string | undefined,
  origins: readonly string[],
): boolean {
  return anyOrigin === true || origin === undefined || allowsOrigin(origins, origin)
}

function isFor({ prefix, exact }: MachineRoutes, url: string): boolean {
  if (!url.startsWith(prefix)) return false
  return !exact || url.length === prefix.length || url[prefix.length] === '?'
}
