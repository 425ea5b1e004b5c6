import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'

/** One request as it came, whatever was answered. */
export interface Arrival {
  /** The `webhook-id`. */
  id: string
  path: string
  type: string
  data: Record<string, unknown>
  body: string
  headers: Record<string, string>
}

export interface WebhookReceiver {
  url: string
  arrivals: Arrival[]
  /** What it answers from now on; a function is asked for each event. */
  answers: number | ((arrival: Arrival) => number | Promise<number>)
  /** @throws Error where the last arrival is not signed with this secret */
  verify(secret: string): void
  close(): Promise<void>
}

/** A receiver of webhooks on this machine, which answers 204 until told otherwise. */
export async function openWebhookReceiver(): Promise<WebhookReceiver> {
  const server = createServer(async (request, response) => {
    const body = await text(request)
    const { type, data } = JSON.parse(body)
    const headers = request.headers as Record<string, string>
    const { url: path = '' } = request
    const arrival = { id: headers['webhook-id'] ?? '', path, type, data, body, headers }
    receiver.arrivals.push(arrival)
    const { answers } = receiver
    response.writeHead(typeof answers === 'number' ? answers : await answers(arrival), {
      location: '/elsewhere',
    })
    response.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${port}/hook?key=canary`,
    arrivals: [],
    answers: 204,
    verify(secret) {
      const last = receiver.arrivals.at(-1)
      if (!last) throw new Error('nothing has arrived')
      new Webhook(secret).verify(last.body, last.headers)
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return receiver
}
