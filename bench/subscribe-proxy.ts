import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { Benchmark } from './benchmark.ts'
import { besideBare, openBare, openContest, openProduction } from './opening.ts'

const BASELINE = fileURLToPath(new URL('subscribe-proxy-baseline.ts', import.meta.url))

export const subscribeProxy: Benchmark = {
  name: 'subscribe-proxy',
  describe:
    'POST /internal/broker/subscribe, as production serves it, against bare node:http that parses the body and answers the same bytes',
  unit: 'requests/s',
  goal: { ratioMin: 0.75 },
  prepare: ({ seconds }) =>
    openContest(async (ends) => {
      const proxySecret = randomBytes(32).toString('base64url')
      const production = await openProduction(ends, { BROKER_PROXY_SECRET: proxySecret })
      const bare = await openBare(ends, BASELINE)
      const request = {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-broker-proxy-secret': proxySecret },
        body: askedOfBroker(),
      } as const
      return await besideBare(ends, {
        ...{ production, bare, path: '/internal/broker/subscribe', request },
        ...{ connections: 20, seconds },
      })
    }),
}

/** As Centrifugo asks. */
export function askedOfBroker(): string {
  return JSON.stringify({
    client: '9336a229-2400-4ebc-8c50-0a643d22e8a0',
    transport: 'websocket',
    protocol: 'json',
    encoding: 'json',
    user: 'user_01J9ZK2V7QF3M8T5N6R4X0CWYB',
    channel: 'status:org_01J9ZK2V7QF3M8T5N6R4X0CWYA:user_01J9ZK2V7QF3M8T5N6R4X0CWYC',
    meta: { org: 'org_01J9ZK2V7QF3M8T5N6R4X0CWYA' },
  })
}
