import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { SignJWT } from 'jose'
import { WebSocket } from 'ws'
import { trusted } from '../platform/ids.ts'
import type { BrokerPort } from './broker.ts'

/** A broker that the suite may do with as it likes, set to `CONFORMANCE_LIMITS` and our namespaces. */
export interface BrokerUnderTest {
  port: BrokerPort
  /** WebSocket address. */
  url: string
  tokenSecret: string
  /** How its clients speak; without it, in JSON. */
  wire?: Wire
  /** Carries out a command as the outbox would. */
  apply(method: string, payload: object): Promise<void>
}

/** An encoding of the client protocol, as the cases see it: lines of JSON. */
export interface Wire {
  /** What the client offers in the handshake. */
  protocol: string
  encode(frame: string | Buffer): string | Buffer
  lines(frame: Buffer): string[]
}

export interface ConformanceCase {
  name: string
  run(broker: BrokerUnderTest): Promise<void>
}

/** Short, so that what waits for them is seen soon. In milliseconds where not said otherwise. */
export const CONFORMANCE_LIMITS = {
  channelsMax: 4,
  staleAfterMs: 2_000,
  pingIntervalMs: 2_000,
  pongTimeoutMs: 1_000,
  expiredGraceMs: 1_000,
  userConnectionsMax: 8,
}

/** Rows of an outbox that no broker can use: each is dropped, and what comes behind it is not held up. */
export const UNUSABLE_ROWS: readonly (readonly [method: string, payload: object])[] = [
  ['publish', {}],
  ['publish', { channel: 'org:org_1' }],
  ['publish', { channel: 7, data: {} }],
  ['publish', { channel: 'nowhere:org_1', data: {} }],
  ['broadcast', { data: {} }],
  ['broadcast', { channels: [], data: {} }],
  ['broadcast', { channels: ['org:org_1'] }],
  ['fly', {}],
]

/** One line of fixtures/broker-frames.jsonl: captured from a real Centrifugo. */
interface Captured {
  case: string
  after?: 'connect'
  send: unknown[]
  receive: object[]
  close?: { code: number; reason: string }
}

const FRAMES = new URL('fixtures/broker-frames.jsonl', import.meta.url)
const ANSWER_WITHIN_MS = 10_000
/** A shutdown cannot be asked for without ending the broker: the embedded one's is tested by itself. */
const NOT_REPLAYED = ['server shutdown (SIGTERM)']

/** Everything a broker must do for us, captured frames first. */
export function brokerCases(): ConformanceCase[] {
  const captured = readFileSync(FRAMES, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Captured)
    .filter((one) => !NOT_REPLAYED.includes(one.case))
  return [
    ...captured.map((one) => ({
      name: `frames: ${one.case}`,
      run: (broker: BrokerUnderTest) => replay(broker, one),
    })),
    { name: 'census: knows who is connected, once for all tabs, and nobody else', run: censusOfTabs },
    { name: 'census: keeps its generation while nothing happens', run: censusGeneration },
    { name: 'publishes the same idempotency key once in a channel', run: idempotency },
    { name: 'publishes a broadcast on the channels that there are', run: broadcastInPart },
    { name: 'publishes to who is connected and keeps nothing', run: publishOnly },
    {
      name: 'endings: closes the connections of what has ended, with code and reason, and no other',
      run: endings,
    },
    { name: 'connections of one user are limited', run: userConnections },
    ...UNUSABLE_ROWS.map(([method, payload]) => ({
      name: `refuses ${method} ${JSON.stringify(payload)}`,
      run: (broker: BrokerUnderTest) => assert.rejects(broker.apply(method, payload)),
    })),
  ]
}

// frames --------------------------------------------------------------------------------------------

async function replay(broker: BrokerUnderTest, captured: Captured): Promise<void> {
  // names of its own for every case, so that cases share nothing on a broker that lives through all of them
  const mark = `x${randomBytes(4).toString('hex')}`
  const own = <Value>(value: Value): Value =>
    JSON.parse(JSON.stringify(value).replaceAll(/\borg_([12x])\b/g, `org_$1${mark}`)) as Value
  const { send, receive, close, after } = own(captured)
  const setting = await prepare(broker, captured.case, own)
  const socket = await openSocket(broker)
  try {
    const expiresSoon = captured.case.startsWith('token expired')
    const lifetime = expiresSoon ? 2 : 600
    if (after === 'connect')
      await connectAs(socket, await token(broker, own(`sub user_1, org_1, exp +${lifetime} s`)))
    for (const [index, frame] of send.entries()) {
      // a real Centrifugo works on several commands at once: what belongs in order waits for the answer before
      if (index > 0) await socket.lines(index)
      socket.say(await toFrame(broker, frame, setting, own))
    }
    // what is done on the broker's side comes after the answers to what was sent
    if (setting.afterwards && send.length > 0) await socket.lines(send.length)
    await setting.afterwards?.(socket)
    const seen = await socket.lines(receive.length, expiresSoon || captured.case === 'ping answered')
    assert.deepEqual(normalized(seen), normalized(receive))
    if (close) assert.deepEqual(await socket.closed(), close)
    else await nothingMore(socket, captured)
  } finally {
    socket.end()
  }
}

/** After everything that was expected, an answer to a last question proves that nothing else came before it. */
async function nothingMore(socket: Socket, { receive, after }: Captured): Promise<void> {
  const isRefused = receive.some((line) => JSON.stringify(line).includes('"id":1,"error"'))
  if (after !== 'connect' || isRefused) return
  const before = socket.count()
  socket.say('{"id":990,"rpc":{"method":"last","data":{}}}')
  const [last] = (await socket.lines(before + 1)).slice(before)
  assert.deepEqual(last, { id: 990, error: { code: 108, message: 'not available' } })
}

interface Setting {
  epoch: string
  afterwards?: (socket: Socket) => Promise<void>
}

/** What was done on the broker's side when the case was captured. */
async function prepare(
  broker: BrokerUnderTest,
  name: string,
  own: <Value>(value: Value) => Value,
): Promise<Setting> {
  const publish = (channel: string, n: unknown, more: object = {}) =>
    broker.apply('publish', { channel: own(channel), data: { n }, ...more })
  const user = 'user_1'
  const colleague = 'status:org_1:user_2'
  const offsetIsOne = [
    'binary frame with JSON inside',
    'unknown field in command',
    'unsubscribe',
    'API unsubscribe (client-side and server-side channel)',
    'sub_refresh',
  ]
  if (offsetIsOne.includes(name)) await publish(colleague, 1)
  if (name.startsWith('recover: ') || name.startsWith('recover ok') || /other epoch|ahead/.test(name))
    for (const n of [1, 2, 3]) await publish('status:org_1:rec', n)
  if (name.includes('history_size')) for (let n = 1; n <= 26; n++) await publish('status:org_1:long', n)
  if (name.startsWith('recover of server-side')) {
    for (const n of [0, 'a', 'b']) await publish('org:org_1', n)
    await publish('user:org_1:user_1', 1)
  }
  const channel = name.startsWith('recover of server-side') ? 'org:org_1' : 'status:org_1:rec'
  const epoch = name.startsWith('recover') ? await epochOf(broker, own(channel)) : ''
  const onBrokersSide: Record<string, (socket: Socket) => Promise<void>> = {
    'publication pushes (status, user, org)': async () => {
      await publish(colleague, 1)
      await publish('user:org_1:user_1', 2)
      await publish('org:org_1', 3, { tags: { k: 'v' } })
      await publish('org:org_1', 4, { skip_history: true })
    },
    'API unsubscribe (client-side and server-side channel)': async () => {
      await broker.apply('unsubscribe', own({ user, channel: colleague }))
      await broker.apply('unsubscribe', own({ user, channel: 'org:org_1' }))
    },
    'API subscribe': async (socket) => {
      await broker.apply('subscribe', own({ user, channel: 'org:org_x' }))
      // a command passes from node to node on its own way: what is published meanwhile may overtake it
      await socket.lines(1)
      await publish('org:org_x', 1)
    },
    'API disconnect': () => broker.apply('disconnect', { user }),
    'API disconnect with code 4000': () =>
      broker.apply('disconnect', { user, disconnect: { code: 4000, reason: 'come back' } }),
    'API refresh with expired:true': () => broker.apply('refresh', { user, expired: true }),
    'API refresh with expire_at +60': () =>
      broker.apply('refresh', { user, expire_at: Math.floor(Date.now() / 1_000) + 60 }),
  }
  const afterwards = onBrokersSide[name]
  return { epoch, ...(afterwards ? { afterwards } : {}) }
}

async function toFrame(
  broker: BrokerUnderTest,
  frame: unknown,
  { epoch }: Setting,
  own: (text: string) => string,
): Promise<string | Buffer> {
  if (frame === '<binary frame>')
    return Buffer.from(JSON.stringify({ id: 2, subscribe: { channel: own('status:org_1:user_2') } }))
  if (frame === '<140064 byte frame>')
    return `{"id":2,"rpc":{"method":"x","data":"${'x'.repeat(140_000)}"}}`.padEnd(140_064)
  let text = typeof frame === 'string' ? frame : JSON.stringify(frame)
  for (const [whole = '', wanted = ''] of text.matchAll(/<token: ([^>]*)>/g))
    text = text.replace(whole, await token(broker, wanted))
  return text
    .replaceAll('<306 chars>', `status:org_1:${'u'.repeat(293)}`)
    .replaceAll('<epoch>', epoch)
    .replaceAll('<other epoch>', 'another')
}

/** A token as the capture describes it. */
async function token(broker: BrokerUnderTest, wanted: string, more: object = {}): Promise<string> {
  const now = Math.floor(Date.now() / 1_000)
  const user = /sub (user_\w+)/.exec(wanted)?.[1] ?? 'user_1'
  const organization = /\b(org_\w+), (exp|channels)/.exec(wanted)?.[1] ?? 'org_1'
  const channel = /\bchannel (\S+?)(,|$)/.exec(wanted)?.[1]
  const list = /channels:\[([^\]]*)\]/.exec(wanted)?.[1]?.split(',')
  const channels = list ?? [`user:${organization}:${user}`, `org:${organization}`]
  const lifetime = wanted === 'expired' ? -60 : Number(/exp \+(\d+) s/.exec(wanted)?.[1] ?? 600)
  const claims = channel ? { channel } : { channels, meta: { org: organization } }
  const secret = wanted === 'wrong secret' ? `not ${broker.tokenSecret}` : broker.tokenSecret
  return new SignJWT({ ...claims, ...more })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(user)
    .setIssuedAt(now)
    .setExpirationTime(now + lifetime)
    .sign(new TextEncoder().encode(secret))
}

/** Where a channel stands, as a member of its organization learns it. */
async function epochOf(broker: BrokerUnderTest, channel: string): Promise<string> {
  const [, organization = ''] = channel.split(':')
  const socket = await openSocket(broker)
  try {
    const reply = await connectAs(socket, await token(broker, `sub user_9, ${organization}, exp +600 s`))
    const subscription = reply.connect?.subs?.[channel]
    if (subscription) return subscription.epoch
    socket.say(JSON.stringify({ id: 2, subscribe: { channel } }))
    const [answer] = (await socket.lines(1)) as { subscribe?: { epoch: string } }[]
    return answer?.subscribe?.epoch ?? ''
  } finally {
    socket.end()
  }
}

/** Lines without what differs from run to run, in an order of their own: replies may overtake each other. */
function normalized(lines: object[]): string[] {
  return lines
    .map((line) =>
      JSON.stringify(line, (key, value: unknown) => {
        if (['client', 'version', 'epoch'].includes(key)) return `<${key}>`
        if (key === 'ping') return '<ping>'
        if (key === 'ttl') return '<ttl>'
        return typeof value === 'object' && value !== null && !Array.isArray(value)
          ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
          : value
      }),
    )
    .sort()
}

// census and publications ---------------------------------------------------------------------------

async function censusOfTabs(broker: BrokerUnderTest): Promise<void> {
  const mark = randomBytes(4).toString('hex')
  const [first, second, empty] = ['a', 'b', 'c'].map((name) =>
    trusted.identityOrganizationId(`org_${name}${mark}`),
  ) as [ReturnType<typeof trusted.identityOrganizationId>, never, never]
  const census = async () => {
    const { connected } = await broker.port.connectedUsers([first, second, empty])
    return [first, second, empty].map((organization) => [...(connected.get(organization) ?? [])].sort())
  }
  const sockets: Socket[] = []
  const join = async (user: string, organization: string) => {
    const socket = await openSocket(broker)
    sockets.push(socket)
    await connectAs(socket, await token(broker, `sub ${user}, ${organization}, exp +600 s`))
    return socket
  }
  try {
    const tabs = [await join('user_1', first), await join('user_1', first)]
    await join('user_2', first)
    await join('user_1', second)
    assert.deepEqual(await census(), [['user_1', 'user_2'], ['user_1'], []])
    // a broker that others use too has organizations of theirs
    const occupied = new Set(await broker.port.occupiedOrganizations())
    assert.deepEqual(
      [first, second, empty].map((organization) => occupied.has(organization)),
      [true, true, false],
    )
    tabs[0]?.end()
    tabs[1]?.end()
    await eventually(async () => assert.deepEqual(await census(), [['user_2'], ['user_1'], []]))
  } finally {
    for (const socket of sockets) socket.end()
  }
}

async function censusGeneration(broker: BrokerUnderTest): Promise<void> {
  const one = await broker.port.connectedUsers([trusted.identityOrganizationId('org_nobody')])
  const other = await broker.port.connectedUsers([])
  assert.equal(one.generation, other.generation)
  assert.notEqual(one.generation, '')
  await broker.port.check()
}

async function idempotency(broker: BrokerUnderTest): Promise<void> {
  const organization = `org_i${randomBytes(4).toString('hex')}`
  const socket = await openSocket(broker)
  try {
    await connectAs(socket, await token(broker, `sub user_1, ${organization}, exp +600 s`))
    const row = { channel: `org:${organization}`, idempotency_key: randomBytes(4).toString('hex') }
    await broker.apply('publish', { ...row, data: { n: 1 } })
    await broker.apply('publish', { ...row, data: { n: 1 } })
    await broker.apply('broadcast', { channels: [row.channel], data: { n: 2 } })
    const pushes = (await socket.lines(2)) as { push: { pub: { data: unknown; offset: number } } }[]
    assert.deepEqual(
      pushes.map(({ push }) => push.pub),
      [
        { data: { n: 1 }, offset: 1 },
        { data: { n: 2 }, offset: 2 },
      ],
    )
  } finally {
    socket.end()
  }
}

async function broadcastInPart(broker: BrokerUnderTest): Promise<void> {
  const organization = `org_b${randomBytes(4).toString('hex')}`
  const socket = await openSocket(broker)
  try {
    await connectAs(socket, await token(broker, `sub user_1, ${organization}, exp +600 s`))
    const channels = [`nowhere:${organization}`, `org:${organization}`]
    // whether the one that there is not is an error of the whole, brokers see differently
    await broker.apply('broadcast', { channels, data: { n: 1 } }).catch(() => {})
    const [push] = (await socket.lines(1)) as { push: { pub: { data: unknown } } }[]
    assert.deepEqual(push?.push.pub.data, { n: 1 })
  } finally {
    socket.end()
  }
}

async function publishOnly(broker: BrokerUnderTest): Promise<void> {
  const organization = `org_p${randomBytes(4).toString('hex')}`
  const socket = await openSocket(broker)
  try {
    await connectAs(socket, await token(broker, `sub user_1, ${organization}, exp +600 s`))
    await broker.port.publish([`org:${organization}`, `user:${organization}:nobody`], { n: 1 })
    await broker.apply('publish', { channel: `org:${organization}`, data: { n: 2 } })
    const pushes = (await socket.lines(2)) as { push: { pub: object } }[]
    // the first of the history is the second that came
    assert.deepEqual(
      pushes.map(({ push }) => push.pub),
      [{ data: { n: 1 } }, { data: { n: 2 }, offset: 1 }],
    )
  } finally {
    socket.end()
  }
}

async function endings(broker: BrokerUnderTest): Promise<void> {
  const mark = randomBytes(4).toString('hex')
  const organization = trusted.identityOrganizationId(`org_e${mark}`)
  const user = trusted.identityUserId(`user_e${mark}`)
  const sockets: Socket[] = []
  const join = async (name: string, info?: object) => {
    const socket = await openSocket(broker)
    sockets.push(socket)
    const wanted = `sub ${name}, ${organization}, exp +600 s`
    await connectAs(socket, await token(broker, wanted, info ? { info } : {}))
    return socket
  }
  const ending = (sid: string, disconnect: { code: number; reason: string }, ofAll = false) => ({
    organization,
    user,
    isOf: (info: unknown) => (info as { sid?: string } | undefined)?.sid === sid,
    ofAll,
    disconnect,
  })
  try {
    const first = await join(user, { sid: '1' })
    const second = await join(user, { sid: '2' })
    const third = await join(user)
    const colleague = await join(`user_f${mark}`, { sid: '1' })
    const ended = ending('1', { code: 4502, reason: 'session ended' })
    const unknown = ending('3', { code: 4502, reason: 'session ended' })
    assert.deepEqual(await broker.port.endConnections([unknown, ended]), new Set([ended]))
    assert.deepEqual(await first.closed(), { code: 4502, reason: 'session ended' })
    await broker.port.endConnections([ending('2', { code: 3014, reason: 'session replaced' })])
    assert.deepEqual(await second.closed(), { code: 3014, reason: 'session replaced' })
    for (const socket of [third, colleague]) {
      socket.say('{"id":990,"rpc":{"method":"last","data":{}}}')
      assert.equal((await socket.lines(1)).length, 1)
    }
  } finally {
    for (const socket of sockets) socket.end()
  }
}

async function userConnections(broker: BrokerUnderTest): Promise<void> {
  const mark = randomBytes(4).toString('hex')
  const connectionToken = await token(broker, `sub user_c${mark}, org_c${mark}, exp +600 s`)
  const sockets: Socket[] = []
  try {
    for (let n = 0; n < CONFORMANCE_LIMITS.userConnectionsMax; n++) {
      const socket = await openSocket(broker)
      sockets.push(socket)
      await connectAs(socket, connectionToken)
    }
    const more = await openSocket(broker)
    sockets.push(more)
    more.say(JSON.stringify({ id: 1, connect: { token: connectionToken } }))
    assert.deepEqual(await more.closed(), { code: 3504, reason: 'connection limit' })
  } finally {
    for (const socket of sockets) socket.end()
  }
}

async function eventually(check: () => Promise<void>): Promise<void> {
  const deadline = Date.now() + ANSWER_WITHIN_MS
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (Date.now() > deadline) throw error
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}

// sockets -------------------------------------------------------------------------------------------

interface Socket {
  say(frame: string | Buffer): void
  /** The first lines, once there are so many; where `answerPings`, each ping is answered. */
  lines(count: number, answerPings?: boolean): Promise<object[]>
  count(): number
  /** Leaves out of the count what has come so far. */
  forget(): void
  closed(): Promise<{ code: number; reason: string }>
  end(): void
}

interface ConnectReply {
  connect?: { client: string; subs?: Record<string, { epoch: string }> }
}

async function connectAs(socket: Socket, connectionToken: string): Promise<ConnectReply> {
  socket.say(JSON.stringify({ id: 1, connect: { token: connectionToken } }))
  const [reply] = (await socket.lines(1)) as ConnectReply[]
  assert.ok(reply?.connect, `connect was answered ${JSON.stringify(reply)}`)
  socket.forget()
  return reply
}

const JSON_LINES: Omit<Wire, 'protocol'> = {
  encode: (frame) => frame,
  lines: (frame) => frame.toString().split('\n'),
}

async function openSocket({ url, wire }: Pick<BrokerUnderTest, 'url' | 'wire'>): Promise<Socket> {
  const socket = new WebSocket(url, wire ? [wire.protocol] : [])
  const { encode, lines } = wire ?? JSON_LINES
  const received: object[] = []
  const closing = Promise.withResolvers<{ code: number; reason: string }>()
  let waiting = () => {}
  let answersPings = false
  let over: { code: number; reason: string } | undefined
  socket.on('message', (data: Buffer) => {
    for (const line of lines(data)) {
      received.push(JSON.parse(line) as object)
      if (line === '{}' && answersPings) socket.send(encode('{}'))
    }
    waiting()
  })
  socket.on('close', (code, reason) => {
    over = { code, reason: reason.toString() }
    closing.resolve(over)
    waiting()
  })
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  socket.on('error', () => {})
  return {
    say: (frame) => socket.send(encode(frame)),
    async lines(count, answerPings = false) {
      answersPings = answerPings
      const deadline = Date.now() + ANSWER_WITHIN_MS
      while (received.length < count) {
        const what = `${received.length} of ${count} lines: ${JSON.stringify(received)}`
        if (over) assert.fail(`closed ${over.code} ${over.reason} after ${what}`)
        if (Date.now() > deadline) assert.fail(`only ${what}`)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, 1_000)
          waiting = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      return received.slice(0, count)
    },
    count: () => received.length,
    forget: () => void received.splice(0),
    closed: () =>
      Promise.race([
        closing.promise,
        new Promise<never>((_resolve, reject) => {
          setTimeout(() => reject(new Error('was not closed')), ANSWER_WITHIN_MS).unref()
        }),
      ]),
    end: () => socket.terminate(),
  }
}
