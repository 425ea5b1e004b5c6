import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http'
import { namesOneHost } from './host-header.ts'
import { endUnread } from './unreadable.ts'

type Listener = (request: IncomingMessage, response: ServerResponse) => void

/**
 * Refuses, before all else, what Node reads but HTTP forbids or we do not know: a request that names no host or
 * several, and expectations. Call it when everything else that answers requests is in place.
 */
export function refuseUnfit(http: HttpServer, secure: boolean): void {
  const told = { error: 'malformed-request', secure }
  // The first that hears of a request is the one that answers it; others only take note of its connection.
  const [answer] = http.listeners('request') as [Listener]
  http.off('request', answer)
  http.prependListener('request', (request, response) => {
    if (namesOneHost(request)) answer.call(http, request, response)
    else endUnread(response, 400, 'The request has to name one host (Host), and no more', told)
  })
  http.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) =>
    endUnread(response, 417, 'Only "100-continue" may be expected', told),
  )
}
