import { once } from 'node:events'
import { createServer as createReceiver } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SignalRequest, SignalResponse } from '@livekit/protocol'
import { AccessToken, EgressClient, RoomServiceClient, type VideoGrant } from 'livekit-server-sdk'
import { WebSocket } from 'ws'
import { systemClock } from '../../src/platform/clock.ts'
import { createServer } from '../../src/platform/http/server.ts'
import { openLog } from '../../src/platform/log.ts'
import { sandboxMedia } from '../../src/sandbox/media/sandbox-media.ts'
import { until } from '../until.ts'

const KEY = 'devkey'
export const SECRET = 'a-secret-of-the-sandbox-media-server'

export interface Told {
  event: string
  participant?: { identity: string; disconnectReason?: string }
}

type Answer = NonNullable<SignalResponse['message']>

/** Rooms of the stand-in that real clients can enter: where it answers, and what the office would be told. */
export async function openLiveMedia(limits: { cameras: number; people: number; waiting: number }) {
  const told: Told[] = []
  const receiver = createReceiver(async (request, response) => {
    told.push(JSON.parse(await text(request)))
    response.end()
  })
  await once(receiver.listen(0, '127.0.0.1'), 'listening')
  const log = openLog({ level: 'silent', forPeople: false })
  const media = sandboxMedia({
    ...{ clock: systemClock, log, storage: { write: async () => {} }, apiKey: KEY, apiSecret: SECRET },
    webhookUrl: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
    live: { address: '127.0.0.1', ...limits },
    paceMs: 10,
  })
  const server = await createServer({ log, origins: [], secure: false, trustProxy: [] })
  media.serve(server)
  await server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.server.address() as AddressInfo
  const baseUrl = `http://127.0.0.1:${port}`
  return {
    ...{ baseUrl, port, told },
    rooms: new RoomServiceClient(baseUrl, KEY, SECRET),
    recorder: new EgressClient(baseUrl, KEY, SECRET),
    async close() {
      await server.close()
      await media.close()
      receiver.closeAllConnections()
      receiver.close()
    },
  }
}

/** A token that admits a participant to a room. */
export async function tokenFor(
  room: string,
  identity: string,
  grant: VideoGrant = {},
  secret = SECRET,
): Promise<string> {
  const token = new AccessToken(KEY, secret, { identity, ttl: 60 })
  token.addGrant({ roomJoin: true, room, ...grant })
  return await token.toJwt()
}

export type SignalClient = Awaited<ReturnType<typeof connectSignals>>

/** A client of signals only, without media. @returns when it was answered something */
export async function connectSignals(baseUrl: string, token: string, more = '') {
  const url = `${baseUrl.replace('http', 'ws')}/rtc?protocol=15&access_token=${token}${more}`
  const ws = new WebSocket(url)
  const answers: Answer[] = []
  let closed: number | undefined
  ws.on('message', (data: Buffer) => answers.push(SignalResponse.fromBinary(data).message))
  ws.on('close', (code) => {
    closed = code
  })
  await once(ws, 'open')
  const all = <Case extends Answer['case']>(name: Case) =>
    answers.filter((one) => one.case === name) as Extract<Answer, { case: Case }>[]
  const client = {
    ws,
    all,
    first: <Case extends Answer['case']>(name: Case) => all(name)[0],
    closed: () => closed,
    send: (message: SignalRequest['message']) => ws.send(new SignalRequest({ message }).toBinary()),
    /** Identities of the others, as they were told of. */
    others: () =>
      all('update')
        .flatMap(({ value }) => value.participants)
        .map(({ identity }) => identity),
  }
  await until(async () => answers.length > 0)
  return client
}
