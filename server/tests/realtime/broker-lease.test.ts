import { once } from 'node:events'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { openTestOffice, type TestOffice } from '../office.ts'
import { until } from '../until.ts'

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

interface Health {
  status: string
  parts: Record<string, string>
  problems?: string[]
}

async function healthOf({ baseUrl }: TestOffice): Promise<[code: number, health: Health]> {
  const answer = await fetch(`${baseUrl}/health/ready`)
  return [answer.status, (await answer.json()) as Health]
}

it('lets clients in at one node only, and says so at the other', async () => {
  await until(async () => (await doorOf(second)) === '503')
  expect(await healthOf(second)).toMatchObject([
    503,
    {
      status: 'not-ready',
      parts: { broker: 'degraded' },
      problems: [expect.stringMatching(/^Another node .* embedded broker.*BROKER=centrifugo/)],
    },
  ])
  await expect(second.office.realtime.broker.connectedUsers([])).rejects.toThrow('embedded broker')
  expect(await doorOf(first)).toBe('open')
  expect(await healthOf(first)).toMatchObject([200, { status: 'ready', parts: { broker: 'ok' } }])
})

it('serves clients at the other node when the first has gone', async () => {
  await until(async () => (await doorOf(second)) === '503')
  await first.close()
  await until(async () => (await doorOf(second)) === 'open')
  expect(await healthOf(second)).toMatchObject([200, { status: 'ready', parts: { broker: 'ok' } }])
})
