import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Centrifuge as JsonCentrifuge, type PublicationContext } from 'centrifuge'
import { Centrifuge as ProtobufCentrifuge } from 'centrifuge/build/protobuf'
import { SignJWT } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { CONNECTION_LIMITS } from './connection.ts'
import { type EmbeddedBroker, startEmbeddedBroker } from './start-embedded-broker.ts'

const SECRET = new TextEncoder().encode('a secret of this test only')
const NAMESPACES = {
  org: { proxied: false, presence: true, historySize: 100, historyTtlSeconds: 300 },
  status: { proxied: true, presence: false, historySize: 20, historyTtlSeconds: 300 },
}
/** Short, so that pings are seen soon. */
const LIMITS = { pingIntervalMs: 1_000, pongTimeoutMs: 500 }

/** The official client brings its own schema: it decodes with it what our schema has encoded. */
const CLIENTS = [
  ['JSON', JsonCentrifuge],
  ['protobuf', ProtobufCentrifuge as unknown as typeof JsonCentrifuge],
] as const

let broker: EmbeddedBroker
let url: string
const server = createServer()
const open: JsonCentrifuge[] = []

beforeAll(async () => {
  broker = startEmbeddedBroker({
    tokenKeys: [SECRET],
    namespaces: NAMESPACES,
    allowsOrigin: () => false,
    judge: ({ channel }) =>
      channel.endsWith(':secret') ? { error: { code: 403, message: 'forbidden' } } : { result: {} },
    ended: { has: () => false, current: () => undefined },
    now: () => new Date(),
    version: 'test',
    onFault: (error) => {
      throw error
    },
    limits: LIMITS,
  })
  server.on('upgrade', broker.acceptUpgrade).listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/connection/websocket`
})
afterEach(() => {
  for (const client of open.splice(0)) client.disconnect()
})
afterAll(async () => {
  await broker.close()
  server.close()
})

const tokenOf = (user: string, organization: string, lifetime = '10m') =>
  new SignJWT({ channels: [`org:${organization}`], meta: { org: organization } })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(user)
    .setExpirationTime(lifetime)
    .sign(SECRET)

/** A text of one byte for each character, or what centrifuge-js gives in JSON. */
const dataOf = ({ data }: { data: unknown }): unknown =>
  data instanceof Uint8Array ? JSON.parse(Buffer.from(data).toString()) : data

describe.each(CLIENTS)('the official client in %s', (name, Client) => {
  const connect = async (organization: string, options: object = {}) => {
    const token = await tokenOf('user_1', organization)
    const client = new Client(url, { websocket: WebSocket, token, ...options })
    open.push(client)
    const connected = once(client as never, 'connected')
    client.connect()
    const [context] = await connected
    return { client, context }
  }

  it('hears what is published, as the publisher gave it', async () => {
    const organization = `org_${name}_heard`
    const { client, context } = await connect(organization)
    expect(context).toMatchObject({ transport: 'websocket' })
    const heard: PublicationContext[] = []
    client.on('publication', (one) => void heard.push(one as never))
    const data = { text: 'é "quoted"', nothing: null, list: [1, { deep: true }], number: 1.5 }
    broker.apply('publish', { channel: `org:${organization}`, data, tags: { kind: 'news' } })
    broker.apply('publish', { channel: `org:${organization}`, data: 'a text', skip_history: true })
    await expect.poll(() => heard.length).toBe(2)
    expect(heard.map(dataOf)).toEqual([data, 'a text'])
    expect(heard[0]).toMatchObject({ channel: `org:${organization}`, offset: 1, tags: { kind: 'news' } })
  })

  it('subscribes, is refused, and recovers what it has missed', async () => {
    const organization = `org_${name}_recovers`
    const channel = `status:${organization}:user_2`
    const { client } = await connect(organization, { minReconnectDelay: 1 })
    const heard: unknown[] = []
    const subscription = client.newSubscription(channel)
    subscription.on('publication', (one) => void heard.push(dataOf(one)))
    const subscribed = once(subscription as never, 'subscribed')
    subscription.subscribe()
    const [first] = await subscribed
    expect(first).toMatchObject({ recoverable: true, positioned: true, wasRecovering: false })
    broker.apply('publish', { channel, data: 1 })
    await expect.poll(() => heard).toEqual([1])
    client.disconnect()
    for (const data of [2, 3]) broker.apply('publish', { channel, data })
    const again = once(subscription as never, 'subscribed')
    client.connect()
    expect((await again)[0]).toMatchObject({ wasRecovering: true, recovered: true })
    await expect.poll(() => heard).toEqual([1, 2, 3])

    const secret = client.newSubscription(`status:${organization}:secret`)
    const refused = once(secret as never, 'unsubscribed')
    secret.subscribe()
    expect((await refused)[0]).toMatchObject({ code: 403, reason: 'forbidden' })
    await expect(client.rpc('any', Buffer.from('{}'))).rejects.toMatchObject({ code: 108 })
    await expect(client.publish(channel, Buffer.from('{}'))).rejects.toMatchObject({ code: 103 })
  })

  it('takes back all that it may hold at once when its transport was cut, however long the names', async () => {
    const organization = `org_${'o'.repeat(64)}`
    const sockets: WebSocket[] = []
    class KeptSocket extends WebSocket {
      constructor(...args: ConstructorParameters<typeof WebSocket>) {
        super(...args)
        sockets.push(this)
      }
    }
    const { client } = await connect(organization, { websocket: KeptSocket, minReconnectDelay: 1 })
    const ends: unknown[] = []
    client.on('disconnected', (context) => void ends.push(context))
    // one is the channel of its token
    const subscriptions = Array.from({ length: CONNECTION_LIMITS.channelsMax - 1 }, (_, n) =>
      client.newSubscription(`status:${organization}:user_${String(n).padStart(64, 'u')}`),
    )
    let recovered = 0
    for (const subscription of subscriptions) {
      subscription.on('subscribed', (context) => {
        if (context.recovered) recovered += 1
      })
      subscription.subscribe()
    }
    await Promise.all(subscriptions.map((subscription) => subscription.ready()))
    for (const { channel } of subscriptions) broker.apply('publish', { channel, data: 1 })
    sockets[0]?.terminate()
    await expect.poll(() => recovered, { timeout: 5_000 }).toBe(subscriptions.length)
    expect([ends, sockets.length]).toEqual([[], 2])
  })

  it('refreshes its token, and stays where pings are answered', async () => {
    const organization = `org_${name}_stays`
    let refreshed = 0
    const { client } = await connect(organization, {
      token: await tokenOf('user_1', organization, '2s'),
      getToken: () => {
        refreshed += 1
        return tokenOf('user_1', organization)
      },
      maxServerPingDelay: 1_000,
    })
    const interruptions: unknown[] = []
    client.on('disconnected', (context) => void interruptions.push(context))
    client.on('connecting', (context) => void interruptions.push(context))
    await expect.poll(() => refreshed, { timeout: 5_000 }).toBe(1)
    // longer than a ping and the time for its answer
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    const heard = once(client as never, 'publication')
    broker.apply('publish', { channel: `org:${organization}`, data: 1 })
    await heard
    expect(interruptions).toEqual([])
  })

  it('is unsubscribed, subscribed and sent away by the server, and told why', async () => {
    const organization = `org_${name}_away`
    const { client } = await connect(organization)
    const unsubscribed = once(client as never, 'unsubscribed')
    broker.apply('unsubscribe', { user: 'user_1', channel: `org:${organization}` })
    await unsubscribed
    const subscribed = once(client as never, 'subscribed')
    broker.apply('subscribe', { user: 'user_1', channel: `org:${organization}` })
    expect((await subscribed)[0]).toMatchObject({ channel: `org:${organization}`, recoverable: true })
    const disconnected = once(client as never, 'disconnected')
    broker.apply('disconnect', { user: 'user_1', disconnect: { code: 4502, reason: 'session ended' } })
    expect((await disconnected)[0]).toEqual({ code: 4502, reason: 'session ended' })
  })
})

describe('a client asks for protobuf', () => {
  /** `{ id: 1, rpc: {} }` before any connect: 3501 where it was understood, or not. */
  const frames = { protobuf: Buffer.from([4, 0x08, 1, 0x6a, 0]), json: Buffer.from('{"id":1,"rpc":{}}') }
  const connectCommand = async (protobuf: boolean) => {
    const token = await tokenOf('user_1', 'org_asks')
    if (!protobuf) return Buffer.from(JSON.stringify({ id: 1, connect: { token } }))
    const text = Buffer.from(token)
    const varint = (length: number) => [(length & 0x7f) | 0x80, length >> 7]
    const request = Buffer.concat([Buffer.from([0x0a, ...varint(text.length)]), text])
    const command = Buffer.concat([Buffer.from([0x08, 1, 0x22, ...varint(request.length)]), request])
    return Buffer.concat([Buffer.from(varint(command.length)), command])
  }

  it.each([
    ['by the subprotocol', '', ['centrifuge-protobuf'], true],
    ['by cf_protocol', '?cf_protocol=protobuf', [], true],
    ['by format', '?format=protobuf', [], true],
    ['not at all', '', [], false],
    ['not: by the subprotocol of JSON', '', ['centrifuge-json'], false],
  ] as const)('%s', async (_case, query, protocols, isProtobuf) => {
    const socket = new WebSocket(url + query, [...protocols])
    await once(socket, 'open')
    expect(socket.protocol).toBe(protocols[0] ?? '')
    socket.send(await connectCommand(isProtobuf))
    const [data, isBinary] = (await once(socket, 'message')) as [Buffer, boolean]
    expect(isBinary).toBe(isProtobuf)
    if (isProtobuf) expect(data[0] === 0x7b).toBe(false)
    else expect(JSON.parse(String(data))).toMatchObject({ id: 1, connect: { pong: true } })
    socket.send(isProtobuf ? frames.json : frames.protobuf)
    expect((await once(socket, 'close'))[0]).toBe(3501)
  })

  it('and for pings that are frames of the WebSocket: none are replies, and a silent client is sent away', async () => {
    const socket = new WebSocket(`${url}?cf_ws_frame_ping_pong=true`, { autoPong: false })
    const lines: string[] = []
    let answers = true
    let pings = 0
    socket.on('message', (data) => void lines.push(String(data)))
    socket.on('ping', (data) => {
      pings += 1
      if (answers) socket.pong(data)
    })
    await once(socket, 'open')
    socket.send(await connectCommand(false))
    await expect.poll(() => pings, { timeout: 5_000 }).toBeGreaterThan(1)
    expect(lines).toHaveLength(1)
    const { connect } = JSON.parse(lines[0] ?? '') as { connect: object }
    expect(Object.keys(connect)).not.toContain('ping')
    expect(Object.keys(connect)).not.toContain('pong')
    answers = false
    const [code, reason] = await once(socket, 'close')
    expect([code, String(reason)]).toEqual([3012, 'no pong'])
  })
})
