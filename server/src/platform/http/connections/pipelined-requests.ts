import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

type Listener = (request: IncomingMessage, response: ServerResponse) => void

/** Of requests that are sent before the answer to the one before. No browser and no proxy that we know sends any. */
const AT_ONCE_MAX = 16

/**
 * Cuts off clients that send one request after the other on a connection without waiting for answers. Node begins all
 * that arrive together: thousands in a single read of a socket, with all that belongs to each, and answers no other
 * client meanwhile. Call it when everything else that answers requests is in place.
 */
export function limitPipelinedRequests(http: HttpServer): void {
  const underWay = new WeakMap<Socket, number>()
  // The first that hears of a request is the one that answers it; others only take note of its connection.
  const [answer] = http.listeners('request') as [Listener]
  http.off('request', answer)
  http.prependListener('request', (request, response) => {
    const { socket } = request
    // those that have been read with the one that was too many are still told of
    if (socket.destroyed) return
    const count = (underWay.get(socket) ?? 0) + 1
    if (count > AT_ONCE_MAX) return void socket.destroy()
    underWay.set(socket, count)
    response.once('close', () => underWay.set(socket, (underWay.get(socket) ?? 1) - 1))
    answer.call(http, request, response)
  })
}
