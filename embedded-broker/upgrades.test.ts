import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startEmbeddedBroker } from './start-embedded-broker.ts'

const broker = startEmbeddedBroker({
  tokenKeys: [new TextEncoder().encode('a secret of this test only')],
  namespaces: {},
  allowsOrigin: () => false,
  judge: () => ({ result: {} }),
  ended: { has: () => false, current: () => undefined },
  now: () => new Date(),
  version: 'test',
  onFault: (error) => {
    throw error
  },
})
const server = createServer()
beforeAll(async () => {
  await once(server.on('upgrade', broker.acceptUpgrade).listen(0, '127.0.0.1'), 'listening')
})
afterAll(async () => {
  await broker.close()
  server.close()
})

const ask = (target: string, more = '') => {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.write(
    `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n${more}\r\n`,
  )
  return socket
}
const statusOf = async (target: string, more?: string) => {
  const socket = ask(target, more)
  const [answer] = await once(socket, 'data')
  socket.destroy()
  return String(answer).slice(9, 12)
}

it('refuses an address that is none', async () => {
  expect(await statusOf('//[')).toBe('400')
  expect(await statusOf('/any?format=json')).toBe('101')
})

it('bears clients that hang up while they are refused', async () => {
  const refused = Array.from({ length: 200 }, async () => {
    const socket = ask('/any', 'Origin: https://other.example\r\n').on('error', () => {})
    await once(socket, 'connect')
    socket.resetAndDestroy()
  })
  await Promise.all(refused)
  expect(await statusOf('/any', 'Origin: https://other.example\r\n')).toBe('403')
})
