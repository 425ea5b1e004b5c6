import { afterEach, expect, it } from 'vitest'
import { recordedLog } from '../../../tests/recorded-log.ts'
import { busy } from '../../../tests/run/timed.ts'
import { HELD_MS } from '../timing/loop-stretch.ts'
import { serveMachines } from './machine-routes.ts'
import type { HeldLoop } from './request-stretches.ts'
import { createServer, type Server } from './server.ts'

const OPTIONS = { log: recordedLog().log, trustProxy: [], origins: [], secure: false }
const LONG_MS = HELD_MS + 30
const BODY = JSON.stringify({ name: 'Ada' })

let server: Server
const reports: Omit<HeldLoop, 'request'>[] = []
afterEach(() => {
  reports.length = 0
  return server.close()
})

/** A server that tells, with the routes of a test. */
async function open(addRoutes: (server: Server) => void, machines: (server: Server) => void = () => {}) {
  const onHeld = ({ request: _, ...held }: HeldLoop) => void reports.push(held)
  server = await createServer({ ...OPTIONS, onHeld })
  addRoutes(server)
  await serveMachines(server, [{ prefix: '/machines', addTo: machines }], { ...OPTIONS, onHeld })
  const at = await server.listen({ port: 0, host: '127.0.0.1' })
  return (path: string) =>
    fetch(at + path, { method: 'POST', body: BODY, headers: { 'content-type': 'application/json' } })
}
const held = (operation: string) => [{ operation, bytes: BODY.length, ms: expect.any(Number) }]

it('tells of a handler, by the pattern of its route and the size of its body', async () => {
  const call = await open((routes) => routes.post('/rooms/:id', async () => busy(LONG_MS)))
  expect((await call('/rooms/secret')).status).toBe(200)
  expect(reports).toEqual(held('/rooms/:id'))
  expect(reports[0]?.ms).toBeGreaterThanOrEqual(HELD_MS)
})

it('tells of each reader of the body', async () => {
  const call = await open((routes) => {
    const preValidation = async () => busy(LONG_MS)
    routes.post('/read', { preValidation }, async () => 'read')
  })
  await call('/read')
  expect(reports).toEqual(held('/read'))
})

it('tells of what turns an answer into text', async () => {
  const call = await open((routes) => routes.post('/written', async () => ({ toJSON: () => busy(LONG_MS) })))
  await call('/written')
  expect(reports).toEqual(held('/written'))
})

it('tells of routes that other programs call', async () => {
  const call = await open(
    () => {},
    (machines) => void machines.post('/machines/event', async () => busy(LONG_MS)),
  )
  await call('/machines/event')
  expect(reports).toEqual(held('/machines/event'))
})

it('tells nothing of requests that are soon answered', async () => {
  const call = await open((routes) => routes.post('/quick', async () => 'quick'))
  for (let n = 0; n < 20; n += 1) await call('/quick')
  expect(reports).toEqual([])
})
