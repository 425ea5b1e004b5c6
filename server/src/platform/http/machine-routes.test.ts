import { Agent, get } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { closed } from '../../../tests/closed.ts'
import { recordedLog } from '../../../tests/recorded-log.ts'
import { bareHeaders } from './input/unreadable.ts'
import { machineServer, serveMachines } from './machine-routes.ts'
import { createServer, type Server } from './server.ts'

const ORIGIN = 'https://office.example'
const JSON_TYPE = { 'content-type': 'application/json' }

let server: Server
afterEach(() => server.close())

const numbersRoutes = {
  prefix: '/numbers',
  addTo: (routes: Server) => void routes.get('/numbers', async () => 'one 1'),
}
const numbers = () => machineServer(numbersRoutes, { secure: false })

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
  socket.write(beginning)
  const drip = setInterval(() => socket.write(drop), 20)
  await closed(socket)
  clearInterval(drip)
  expect(
    (await fetch(`http://127.0.0.1:${(server.server.address() as AddressInfo).port}/numbers`)).status,
  ).toBe(200)
})

it.each([false, true])('answers another method 405, with errors of its own: %s', async (ownErrors) => {
  server = machineServer({ ...numbersRoutes, ownErrors }, { secure: false })
  const answer = await server.inject({ method: 'PUT', url: '/numbers', payload: '{', headers: JSON_TYPE })
  expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS'])
  expect(answer.json()).toMatchObject({ code: 405, error: 'method-not-allowed' })
  const options = await server.inject({ method: 'OPTIONS', url: '/numbers' })
  expect([options.statusCode, options.headers.allow]).toEqual([204, 'GET, HEAD, OPTIONS'])
})

it.each([
  ['GET', 'https://evil.example', false, 403],
  ['GET', 'https://evil.example', true, 200],
  ['GET', ORIGIN, false, 200],
  ['GET', undefined, false, 200],
] as const)('%s of the origin %s, any origin allowed %s: %i', async (method, origin, anyOrigin, status) => {
  server = await createServer({ log: recordedLog().log, trustProxy: [], origins: [ORIGIN], secure: false })
  await serveMachines(server, [{ ...numbersRoutes, anyOrigin }], { origins: [ORIGIN], secure: false })
  const at = await server.listen({ port: 0, host: '127.0.0.1' })
  const answer = await fetch(`${at}/numbers`, { method, headers: origin ? { origin } : {} })
  expect(answer.status).toBe(status)
  if (status === 403) expect(await answer.json()).toMatchObject({ code: 403, error: 'cross-site' })
})

it.each([true, false])('is answered with the headers of every reply, over https: %s', async (secure) => {
  server = await createServer({ log: recordedLog().log, trustProxy: [], origins: [], secure })
  await serveMachines(server, [numbersRoutes], { origins: [], secure })
  const at = await server.listen({ port: 0, host: '127.0.0.1' })
  for (const [method, path, status] of [
    ['GET', '/numbers', 200],
    ['PUT', '/numbers', 405],
    ['GET', '/numbers/%zz', 400],
  ] as const) {
    const answer = await fetch(at + path, { method })
    expect(answer.status).toBe(status)
    if (status >= 400) expect(await answer.json()).toMatchObject({ code: status })
    for (const [name, value] of Object.entries(bareHeaders(secure)))
      expect(answer.headers.get(name)).toBe(value)
    expect(answer.headers.has('strict-transport-security')).toBe(secure)
  }
})

it('is answered without headers of browsers where only programs read it, and refused with them', async () => {
  const headers = Object.keys(bareHeaders(false))
  server = machineServer({ ...numbersRoutes, programsOnly: true }, { secure: false })
  const answered = await server.inject({ method: 'GET', url: '/numbers' })
  expect([answered.statusCode, headers.filter((name) => name in answered.headers)]).toEqual([200, []])
  const refused = await server.inject({ method: 'PUT', url: '/numbers' })
  expect([refused.statusCode, headers.filter((name) => name in refused.headers)]).toEqual([405, headers])
})

it('a call that is under way when the office closes is answered, however old its connection', async () => {
  server = await createServer({ log: recordedLog().log, trustProxy: [], origins: [], secure: false })
  const release = Promise.withResolvers<void>()
  const arrived = Promise.withResolvers<void>()
  const slow = async () => {
    arrived.resolve()
    await release.promise
    return 'done'
  }
  const routes = { prefix: '/slow', addTo: (machines: Server) => void machines.get('/slow', slow) }
  await serveMachines(server, [numbersRoutes, routes], { origins: [], secure: false })
  const at = await server.listen({ port: 0, host: '127.0.0.1' })
  expect((await fetch(`${at}/else`)).status).toBe(404)
  // a connection that has carried nothing but calls of machines
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ask = (path: string) =>
    new Promise<string>((resolve, reject) =>
      get(at + path, { agent }, (answer) => text(answer).then(resolve, reject)).on('error', reject),
    )
  expect(await ask('/numbers')).toBe('one 1')

  const pending = ask('/slow')
  await arrived.promise
  // longer than a connection may be open without having carried anything
  await pause(600)
  const closing = server.close()
  await pause(200)
  release.resolve()
  expect(await pending).toBe('done')
  await closing
})
