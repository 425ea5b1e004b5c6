import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { type BrokerUnderTest, brokerCases, CONFORMANCE_LIMITS } from '../../ports/broker.conformance.ts'
import { type EmbeddedBroker, openEmbeddedBroker } from './embedded-broker.ts'

const TOKEN_SECRET = 'a secret of the conformance suite only'

describe('the embedded broker', () => {
  let broker: EmbeddedBroker
  let underTest: BrokerUnderTest
  const server = createServer()
  beforeAll(async () => {
    broker = openEmbeddedBroker({
      tokenKey: new TextEncoder().encode(TOKEN_SECRET),
      origins: [],
      // what the subscribe proxy of the capture answered
      judge: ({ channel, meta }) =>
        channel.split(':')[1] === (meta as { org: string }).org
          ? { result: {} }
          : { error: { code: 403, message: 'permission denied' } },
      ended: { has: () => false, current: () => undefined },
      now: () => new Date(),
      version: 'test',
      onFault: (error) => {
        throw error
      },
      limits: CONFORMANCE_LIMITS,
    })
    server.on('upgrade', broker.acceptUpgrade).listen(0, '127.0.0.1')
    await once(server, 'listening')
    underTest = {
      port: broker,
      url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/connection/websocket`,
      tokenSecret: TOKEN_SECRET,
      apply: async (method, payload) => broker.apply(method, payload),
    }
  })
  afterAll(async () => {
    await broker.close()
    server.close()
  })

  it.each(brokerCases())('$name', ({ run }) => run(underTest))
})
