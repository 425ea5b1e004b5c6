import { json } from 'node:stream/consumers'
import { centrifugoBroker } from '@atrium/server/src/adapters/centrifugo/centrifugo-broker.ts'
import { Secret } from '@atrium/server/src/platform/secrets/secret.ts'
import { type BrokerUnderTest, brokerCases } from '@atrium/server/src/ports/broker.conformance.ts'
import type { Check } from '../engine.ts'
import { openOwnServer } from '../own-server.ts'
import type { Ends } from '../processes.ts'
import type { CentrifugoNode } from './node.ts'

export const SECRETS = {
  token: 'the secret of tokens, of the engines only',
  api: 'the key of the api, of the engines only',
  proxy: 'the secret of the proxy, of the engines only',
}

/** A subscribe proxy that allows the statuses of the own organization, as the one of the captured frames did. */
export async function startProxy(ends: Ends): Promise<string> {
  const port = await openOwnServer(ends, async (request, response) => {
    const { channel, meta } = (await json(request)) as { channel: string; meta?: { org?: string } }
    const allowed = channel.split(':')[1] === meta?.org
    const body = allowed ? { result: {} } : { error: { code: 403, message: 'permission denied' } }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
  })
  return `http://127.0.0.1:${port}/internal/broker/subscribe`
}

/** The suite that the embedded broker passes; clients at one node, commands and census at the other where there are two. */
export async function tryConformance(
  clients: CentrifugoNode,
  commands: CentrifugoNode,
  check: Check,
): Promise<void> {
  const underTest: BrokerUnderTest = {
    url: clients.url,
    tokenSecret: SECRETS.token,
    port: centrifugoBroker({ url: commands.apiUrl, key: new Secret(SECRETS.api) }),
    async apply(method, payload) {
      const response = await fetch(`${commands.apiUrl}/${method}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': SECRETS.api },
        body: JSON.stringify(payload),
      })
      const answer = (await response.json()) as { error?: unknown }
      if (!response.ok || answer.error)
        throw new Error(`${method}: ${response.status} ${JSON.stringify(answer)}`)
    },
  }
  for (const { name, run } of brokerCases()) await check(name, () => run(underTest))
}
