import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'

/** One request as it came, with any answer. */
export interface Arrival {
  /** The `webhook-id`. */
  id: string
  path: string
  type: string
  data: Record<string, unknown>
  body: string
  headers: Record<string, string>
}

/** A status, also with how long the receiver asks to be left in peace. */
type Answer = number | { status: number; 'retry-after': string }

export interface WebhookReceiver {
  url: string
  arrivals: Arrival[]
  /** Events `webhook.test`, which are no arrivals. */
  tests: Arrival[]
  /** What it answers to a test: what it has carried, within something else; nothing; or this. */
  agrees: boolean | ((challenge: string) => { status: number; body: string })
  /** What it answers from now on; a function is asked for each event. */
  answers: Answer | ((arrival: Arrival) => Answer | Promise<Answer>)
  /** @throws Error where the last arrival is not signed with this secret */
  verify(secret: string): void
  close(): Promise<void>
}

/** A receiver of webhooks on this machine, which agrees and answers 204 until told otherwise. */
export async function openWebhookReceiver(): Promise<WebhookReceiver> {
  const server = createServer(async (request, response) => {
    const body = await text(request)
    const { type, data } = JSON.parse(body)
    const headers = request.headers as Record<string, string>
    const { url: path = '' } = request
    const arrival = { id: headers['webhook-id'] ?? '', path, type, data, body, headers }
    if (type === 'webhook.test') {
      receiver.tests.push(arrival)
      const { status, body: agreement } = agreementOf(receiver, data.challenge)
      response.writeHead(status).end(agreement)
      return
    }
    receiver.arrivals.push(arrival)
    const { answers } = receiver
    const answer = typeof answers === 'function' ? await answers(arrival) : answers
    const { status, ...more } = typeof answer === 'number' ? { status: answer } : answer
    response.writeHead(status, { location: '/elsewhere', ...more })
    response.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${port}/hook?key=canary`,
    arrivals: [],
    tests: [],
    agrees: true,
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

function agreementOf(
  { agrees }: Pick<WebhookReceiver, 'agrees'>,
  challenge: string,
): { status: number; body: string } {
  if (typeof agrees === 'function') return agrees(challenge)
  return agrees ? { status: 200, body: JSON.stringify({ challenge }) } : { status: 204, body: '' }
}
