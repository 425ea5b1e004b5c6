import type { Server as HttpServer, IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { Refusal } from '../../refusal.ts'
import { guarded } from '../../timing/timer.ts'
import { namesOneHost } from '../input/host-header.ts'

export interface UpgradeService {
  /** The one path at which a WebSocket may be asked for. */
  path: string
  /** Takes the socket over, or refuses in HTTP and ends it. */
  accept(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Ends all that was accepted; the server closes after it. */
  close(): Promise<void>
}

const taken = new WeakSet<Duplex>()
/** By server and path. */
const byServer = new WeakMap<object, Map<string, UpgradeService>>()

/** Whether a socket belongs to an upgrade service: the server's own rules for idle connections do not hold for it. */
export function isTakenOver(socket: Duplex): boolean {
  return taken.has(socket)
}

/** Serves WebSockets on the server's own port. Requests for any other upgrade (h2c) are answered as if they had not asked. */
export function serveUpgrades(server: FastifyInstance, service: UpgradeService): void {
  const services = byServer.get(server.server) ?? listenForUpgrades(server.server as HttpServer)
  services.set(service.path, service)
  server.get(service.path, () => {
    throw Refusal.of('malformed-request', { message: 'This path serves WebSocket connections only' })
  })
  server.addHook('preClose', () => service.close())
}

function listenForUpgrades(server: HttpServer): Map<string, UpgradeService> {
  const services = new Map<string, UpgradeService>()
  byServer.set(server, services)
  const serviceOf = (request: IncomingMessage) =>
    request.headers.upgrade?.toLowerCase() === 'websocket'
      ? services.get(request.url?.split('?')[0] ?? '')
      : undefined
  Object.assign(server, {
    // what names no host, or several, is refused as any request is
    shouldUpgradeCallback: (request: IncomingMessage) =>
      serviceOf(request) !== undefined && namesOneHost(request),
  })
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => {})
    taken.add(socket)
    const service = serviceOf(request)
    const cutOff = () => socket.destroy()
    if (service) guarded(() => service.accept(request, socket, head), cutOff)
    // only where this Node does not know the callback
    else socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
  })
  return services
}
