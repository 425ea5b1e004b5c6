import { once } from 'node:events'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { openTestOffice, type TestOffice } from './office.ts'
import { until } from './until.ts'

// Two nodes that both run the embedded broker on one database: each would bring its clients a part of the events.

const SECRET = 'the secret between the office and its broker'
const OUTSIDE_BROKER = {
  BROKER: 'centrifugo',
  BROKER_TOKEN_SECRET: SECRET,
  BROKER_PROXY_SECRET: SECRET,
  CENTRIFUGO_API_KEY: SECRET,
  CENTRIFUGO_API_URL: 'http://127.0.0.1:9/api',
  BROKER_PUBLIC_URL: 'ws://127.0.0.1:9/connection/websocket',
}

let house: TestOffice
let first: TestOffice
let second: TestOffice
beforeAll(async () => {
  // holds the database for both, and is no embedded broker
  house = await openTestOffice({ settings: OUTSIDE_BROKER })
  first = await openTestOffice({ beside: house })
  await until(async () => (await doorOf(first)) === 'open')
  second = await openTestOffice({ beside: house })
})
afterAll(async () => {
  await second.close()
  await house.close()
})

async function doorOf({ baseUrl }: TestOffice): Promise<string> {
  const socket = new WebSocket(`${baseUrl.replace('http', 'ws')}/connection/websocket`)
  const refused = once(socket, 'unexpected-response').then(([, response]) => String(response.statusCode))
  const door = await Promise.race([once(socket, 'open').then(() => 'open'), refused.catch(() => 'error')])
  socket.on('error', () => {})
  socket.terminate()
  return door
}

async function brokerHealth({ baseUrl }: TestOffice): Promise<string | undefined> {
  const answer = await fetch(`${baseUrl}/health/ready`)
  return ((await answer.json()) as { parts: Record<string, string> }).parts.broker
}

it('lets clients in at one node only, and says so at the other', async () => {
  await until(async () => (await doorOf(second)) === '503')
  expect(await brokerHealth(second)).toBe('degraded')
  await expect(second.office.realtime.broker.connectedUsers([])).rejects.toThrow('embedded broker')
  expect(await doorOf(first)).toBe('open')
  expect(await brokerHealth(first)).toBe('ok')
})

it('serves clients at the other node when the first has gone', async () => {
  await until(async () => (await doorOf(second)) === '503')
  await first.close()
  await until(async () => (await doorOf(second)) === 'open')
  expect(await brokerHealth(second)).toBe('ok')
})
