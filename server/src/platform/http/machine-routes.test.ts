import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { machineServer } from './machine-routes.ts'
import type { Server } from './server.ts'

let server: Server
afterEach(() => server.close())

const numbers = () =>
  machineServer({ prefix: '/numbers', addTo: (routes) => void routes.get('/numbers', async () => 'one 1') })

it('on a port of their own, requests have half a minute to arrive', () => {
  server = numbers()
  const { headersTimeout, requestTimeout } = server.server
  expect({ headersTimeout, requestTimeout }).toEqual({ headersTimeout: 30_000, requestTimeout: 30_000 })
})

it.each([
  ['headers', 'GET /numbers HTTP/1.1\r\nHost: x\r\n', 'X-A: a\r\n'],
  ['a body', 'POST /numbers HTTP/1.1\r\nHost: x\r\nContent-Length: 99999\r\n\r\n', ' '],
])('%s that trickle in are cut', async (_what, beginning, drop) => {
  server = numbers()
  // what takes half a minute in earnest: of the limits that are set, and of no others
  const shorten = (limit: number) => (limit === 30_000 ? 400 : limit)
  server.server.headersTimeout = shorten(server.server.headersTimeout)
  server.server.requestTimeout = shorten(server.server.requestTimeout)
  Object.assign(server.server, { connectionsCheckingInterval: 50 })
  await server.listen({ port: 0, host: '127.0.0.1' })
  const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1').resume()
  socket.on('error', () => {})
  socket.write(beginning)
  const drip = setInterval(() => socket.write(drop), 20)
  await once(socket, 'close')
  clearInterval(drip)
  expect(
    (await fetch(`http://127.0.0.1:${(server.server.address() as AddressInfo).port}/numbers`)).status,
  ).toBe(200)
})
