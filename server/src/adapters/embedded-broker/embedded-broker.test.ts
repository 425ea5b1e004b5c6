import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { Centrifuge } from 'centrifuge'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { protobufWire } from '../../../tests/realtime/protobuf-wire.ts'
import { type BrokerUnderTest, brokerCases, CONFORMANCE_LIMITS } from '../../ports/broker.conformance.ts'
import { type EmbeddedBroker, openEmbeddedBroker } from './embedded-broker.ts'

const TOKEN_SECRET = 'a secret of the conformance suite only'

describe('the embedded broker', () => {
  let broker: EmbeddedBroker
  let underTest: BrokerUnderTest
  const server = createServer()
  const voided = new Set<string>()
  let isKnown = true
  beforeAll(async () => {
    broker = openEmbeddedBroker({
      tokenKeys: [new TextEncoder().encode(TOKEN_SECRET)],
      origins: [],
      // what the subscribe proxy of the capture answered
      judge: ({ channel, meta }) =>
        channel.split(':')[1] === (meta as { org: string }).org
          ? { result: {} }
          : { error: { code: 403, message: 'permission denied' } },
      ended: {
        has: (info) => voided.has((info as { sid?: string } | undefined)?.sid ?? ''),
        current: () => (isKnown ? undefined : Promise.reject(new Error('the database is away'))),
      },
      now: () => new Date(),
      version: 'test',
      onFault: (error) => {
        if (isKnown) throw error
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

  it.each(brokerCases())('in protobuf: $name', ({ run }) => run({ ...underTest, wire: protobufWire }))

  const tokenOf = (user: string, organization: string, claims: object = {}) =>
    new SignJWT({ channels: [`org:${organization}`], meta: { org: organization }, ...claims })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject(user)
      .setExpirationTime('10m')
      .sign(new TextEncoder().encode(TOKEN_SECRET))

  it('refuses a subscription that wants all or nothing where something is missing, with error 112', async () => {
    const client = new Centrifuge(underTest.url, {
      websocket: WebSocket,
      token: await tokenOf('user_1', 'org_112'),
    })
    const channel = 'status:org_112:user_2'
    const positions = [{ offset: 5, epoch: 'of another life' }]
    const errors: number[] = []
    const asked: number[] = []
    // as Centrifugo 6 does it: the client then reads its state again, and goes on from there
    const subscription = client.newSubscription(channel, {
      minResubscribeDelay: 1,
      maxResubscribeDelay: 2,
      getState: async () => {
        asked.push(asked.length)
        return positions.shift() ?? { offset: 0, epoch: '' }
      },
    })
    subscription.on('error', ({ error }) => void errors.push(error.code))
    const subscribed = once(subscription as never, 'subscribed')
    subscription.subscribe()
    client.connect()
    await subscribed
    expect(asked).toEqual([0, 1])
    const socket = new WebSocket(underTest.url)
    await once(socket, 'open')
    const commands = [
      { id: 1, connect: { token: await tokenOf('user_1', 'org_112') } },
      { id: 2, subscribe: { channel, flag: 3, recover: true, offset: 5, epoch: 'another' } },
      { id: 3, subscribe: { channel, flag: 1, recover: true, offset: 5, epoch: 'another' } },
    ]
    const lines: { id: number; error?: object; subscribe?: object }[] = []
    socket.on(
      'message',
      (data) =>
        void lines.push(
          ...String(data)
            .split('\n')
            .map((line) => JSON.parse(line)),
        ),
    )
    socket.send(commands.map((command) => JSON.stringify(command)).join('\n'))
    await expect.poll(() => lines.length).toBe(3)
    expect(lines[1]).toEqual({ id: 2, error: { code: 112, message: 'unrecoverable position' } })
    expect(lines[2]?.subscribe).toMatchObject({ was_recovering: true })
    socket.terminate()
    client.disconnect()
  })

  it('takes no token that is void, says to ask for another, and waits where that is not known', async () => {
    const answerTo = async (sid: string) => {
      const socket = new WebSocket(underTest.url)
      await once(socket, 'open')
      const token = await tokenOf('user_1', 'org_1', { info: { sid } })
      socket.send(JSON.stringify({ id: 1, connect: { token } }))
      const [data] = await once(socket, 'message')
      socket.terminate()
      return JSON.parse(String(data)) as { error?: object }
    }
    voided.add('7')
    expect((await answerTo('7')).error).toEqual({ code: 109, message: 'token expired' })
    expect((await answerTo('8')).error).toBeUndefined()
    isKnown = false
    expect((await answerTo('8')).error).toMatchObject({ code: 100, temporary: true })
    isKnown = true
  })

  it('takes so many commands of one person in a time, on all connections, and of others meanwhile', async () => {
    const slow = openEmbeddedBroker({
      tokenKeys: [new TextEncoder().encode(TOKEN_SECRET)],
      origins: [],
      judge: () => ({ error: { code: 103, message: 'permission denied' } }),
      ended: { has: () => false, current: () => undefined },
      now: () => new Date(),
      version: 'test',
      onFault: (error) => {
        throw error
      },
      pace: { perMinute: 60, atOnce: 10 },
    })
    const door = createServer().on('upgrade', slow.acceptUpgrade).listen(0, '127.0.0.1')
    await once(door, 'listening')
    const url = `ws://127.0.0.1:${(door.address() as AddressInfo).port}/`
    const serverSides = new Map<WebSocket, Socket>()
    const enter = async (user: string) => {
      const socket = new WebSocket(url)
      const answers: { id: number }[] = []
      socket.on('message', (data) => {
        for (const line of String(data).split('\n')) answers.push(JSON.parse(line))
      })
      const [serverSide] = await once(door, 'connection')
      serverSides.set(socket, serverSide)
      await once(socket, 'open')
      socket.send(JSON.stringify({ id: 1, connect: { token: await tokenOf(user, 'org_1') } }))
      await expect.poll(() => answers.length).toBe(1)
      const ask = (id: number) => JSON.stringify({ id, rpc: { method: 'x' } })
      return { socket, answers, ask }
    }
    const [busy, second, calm] = [await enter('user_1'), await enter('user_1'), await enter('user_2')]
    // eight are left; these are worth more than a minute, whichever way they come
    busy.socket.send(Array.from({ length: 200 }, (_, n) => busy.ask(n + 2)).join('\n'))
    await expect.poll(() => busy.answers.length).toBe(201)
    busy.socket.send(busy.ask(900))
    second.socket.send(second.ask(900))
    for (const id of [2, 3, 4]) calm.socket.send(calm.ask(id))
    await expect.poll(() => calm.answers.length).toBe(4)
    expect([busy.answers.length, second.answers.length]).toEqual([201, 1])

    // a client with commands that wait is closed as soon as it answers: before one that never does, and was closed earlier
    const ended = (socket: WebSocket) => once(serverSides.get(socket) as Socket, 'close')
    const [silent, waiting] = [ended(calm.socket), ended(busy.socket)]
    calm.socket.pause()
    calm.socket.send('{}')
    await expect.poll(() => slow.connectionsOpen()).toBe(2)
    slow.sendAway()
    expect(await Promise.race([waiting.then(() => 'answered'), silent.then(() => 'cut off')])).toBe(
      'answered',
    )
    await slow.close()
    door.close()
  })
})
