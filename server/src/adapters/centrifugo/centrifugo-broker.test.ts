import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { trusted } from '../../platform/ids.ts'
import { ProviderFailure } from '../../platform/refusal.ts'
import { Secret } from '../../platform/secrets/secret.ts'
import { centrifugoBroker } from './centrifugo-broker.ts'

/** Answers as Centrifugo does; the real one is tried by `npm run test:engines centrifugo`. */
const KEY = 'the key of the API'
let nodes: string[]
let epoch: string
let answer: (method: string, body: never, before: () => unknown) => unknown
/** What it was told to disconnect. */
let disconnected: object[]
const asked: { url: string; method: string; key: unknown }[] = []

const people: Record<string, string[]> = { 'org:org_a': ['user_1', 'user_1', 'user_2'], 'org:org_b': [''] }
const presenceOf = (channel: string) => ({
  presence: {
    presence: Object.fromEntries(
      (people[channel] ?? []).map((user, n) => [
        `client ${n}`,
        { client: `client ${n}`, conn_info: { sid: String(n) }, ...(user && { user }) },
      ]),
    ),
  },
})

interface Body {
  commands?: ({ presence: { channel: string } } | { disconnect: object })[]
}

function usually(method: string, body: Body): unknown {
  if (method === 'info') return { result: { nodes: nodes.map((uid) => ({ uid, name: uid })) } }
  if (method === 'history') return { result: { publications: [], offset: 0, epoch } }
  return {
    replies: (body.commands ?? []).map((command) => {
      if ('presence' in command) return presenceOf(command.presence.channel)
      disconnected.push(command.disconnect)
      return { disconnect: {} }
    }),
  }
}

const server = createServer(async (request: IncomingMessage, response) => {
  const method = request.url?.split('/').at(-1) ?? ''
  asked.push({ url: request.url ?? '', method, key: request.headers['x-api-key'] })
  const body = (await json(request)) as never
  const reply = answer(method, body, () => usually(method, body))
  if (typeof reply === 'number') response.writeHead(reply).end()
  else
    response
      .setHeader('content-type', 'application/json')
      .end(typeof reply === 'string' ? reply : JSON.stringify(reply))
})

let base = ''
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close())
beforeEach(() => {
  nodes = ['node-1', 'node-2']
  epoch = 'abcd'
  asked.length = 0
  disconnected = []
  answer = (_method, _body, before) => before()
})

const [a, b, c] = ['org_a', 'org_b', 'org_c'].map(trusted.identityOrganizationId) as [never, never, never]
const broker = (url = base) => centrifugoBroker({ url, key: new Secret(KEY) })

describe('Centrifugo as the broker', () => {
  it('tells who is connected, each person once, and names its memory', async () => {
    const census = await broker().connectedUsers([a, b, c])
    expect(census.connected).toEqual(
      new Map([
        [a, new Set(['user_1', 'user_2'])],
        [b, new Set()],
        [c, new Set()],
      ]),
    )
    expect(census.generation).toBe('node-1 node-2 abcd')
    expect(new Set(asked.map(({ key }) => key))).toEqual(new Set([KEY]))
  })

  it('names another memory when a node or the stored data is another one, and not for their order', async () => {
    const generation = async () => (await broker().connectedUsers([])).generation
    const first = await generation()
    nodes = ['node-2', 'node-1']
    expect(await generation()).toBe(first)
    nodes = ['node-2', 'node-3']
    const second = await generation()
    epoch = 'efgh'
    expect(new Set([first, second, await generation()]).size).toBe(3)
  })

  it('asks for many organizations in few requests', async () => {
    const many = Array.from({ length: 1_201 }, (_, n) => trusted.identityOrganizationId(`org_${n}`))
    const { connected } = await broker().connectedUsers(many)
    expect(connected.size).toBe(1_201)
    expect(asked.filter(({ method }) => method === 'batch')).toHaveLength(3)
  })

  const ending = (user: string, sid: string, ofAll = false) => ({
    organization: a,
    user: trusted.identityUserId(user),
    isOf: (info: unknown) => (info as { sid: string }).sid === sid,
    ofAll,
    disconnect: { code: 4502, reason: 'session ended' },
  })

  it('closes the connections of what has ended, each by its id', async () => {
    const endings = [ending('user_1', '1'), ending('user_1', '2'), ending('user_2', '9')]
    expect(await broker().endConnections(endings)).toEqual(new Set([endings[0]]))
    expect(disconnected).toEqual([
      { user: 'user_1', client: 'client 1', disconnect: { code: 4502, reason: 'session ended' } },
    ])
  })

  it('closes all open connections of people who may hold no connection', async () => {
    await broker().endConnections([ending('user_9', '1', true), ending('user_9', '2', true)])
    expect(disconnected).toEqual([
      { user: 'user_9', disconnect: { code: 3014, reason: 'state invalidated' } },
    ])
  })

  it('asks nothing where nothing has ended, and says where something may be open still', async () => {
    await broker().endConnections([])
    expect(asked).toEqual([])
    answer = (_method, body: Body, before) =>
      body.commands?.some((command) => 'disconnect' in command)
        ? { replies: [{ error: { code: 100, message: 'internal server error' } }] }
        : before()
    await expect(broker().endConnections([ending('user_1', '1')])).rejects.toThrow(ProviderFailure)
    answer = () => 500
    await expect(broker().endConnections([ending('user_1', '1')])).rejects.toThrow(ProviderFailure)
  })

  it('finds the API with and without its path', async () => {
    await broker().check()
    await broker(`${base}/api`).check()
    await broker(`${base}/inner/api/`).check()
    expect(asked.map(({ url }) => url)).toEqual(['/api/info', '/api/info', '/inner/api/info'])
  })

  const failures: [string, (method: string, usual: () => unknown) => unknown][] = [
    ['refuses the key', () => 401],
    ['fails', () => 500],
    ['answers in no JSON', () => 'Bad Gateway'],
    ['answers with an error', () => ({ error: { code: 100, message: 'internal server error' } })],
    ['lacks an organization', (method, usual) => (method === 'batch' ? { replies: [] } : usual())],
    [
      'knows one organization and errs at another',
      (method, usual) =>
        method === 'batch'
          ? { replies: [presenceOf('org:org_a'), { error: { code: 100, message: 'x' } }] }
          : usual(),
    ],
    [
      'has no presence',
      (method, usual) => (method === 'batch' ? { replies: [{ presence: {} }, { presence: {} }] } : usual()),
    ],
    ['sees no node', (method, usual) => (method === 'info' ? { result: { nodes: [] } } : usual())],
    [
      'loses its memory while it is asked',
      (method, usual) => {
        if (method === 'batch') epoch = 'another'
        return usual()
      },
    ],
  ]
  it.each(failures)('says that it does not know where Centrifugo %s', async (_, tell) => {
    answer = (method, _body, before) => tell(method, before)
    await expect(broker().connectedUsers([a, b])).rejects.toThrow(ProviderFailure)
  })

  it('says that it does not know where no server answers', async () => {
    await expect(broker('http://127.0.0.1:9').connectedUsers([a])).rejects.toThrow(ProviderFailure)
    await expect(broker('http://127.0.0.1:9').check()).rejects.toMatchObject({ retryable: true })
  })
})
