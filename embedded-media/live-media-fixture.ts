import { once } from 'node:events'
import { createServer as createReceiver } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SignalRequest, SignalResponse } from '@livekit/protocol'
import { AccessToken, EgressClient, RoomServiceClient, type VideoGrant } from 'livekit-server-sdk'
import { vi } from 'vitest'
import { WebSocket } from 'ws'
import type { Transcribe } from './captions/live-captions.ts'
import { listen } from './listen.ts'
import type { FilmMaker, FilmMakerOptions } from './recording/film-maker.ts'
import type { Heard } from './rooms/live-rooms.ts'
import { startEmbeddedMedia } from './start-embedded-media.ts'

const KEY = 'devkey'
export const SECRET = 'a-secret-of-the-embedded-media-server'

export interface Told {
  event: string
  participant?: { identity: string; disconnectReason?: string }
}

type Answer = NonNullable<SignalResponse['message']>

/** Records, and keeps nothing. */
const FORGETFUL: FilmMaker = {
  begin: () => undefined,
  finish: async () => ({ status: 'EGRESS_COMPLETE' }),
  crash() {},
}

interface LiveMediaOptions {
  paceMs?: number
  onActivity?: (heard: Heard) => void
  transcribe?: Transcribe
  onWarning?: (error: unknown, message: string) => void
}

/** A media server on a port of its own: where it answers, and what the receiver of its webhooks is told. */
export async function openLiveMedia(
  limits: { cameras: number; people: number; waiting: number },
  recordings?: Pick<FilmMakerOptions, 'folder' | 'keepFilm' | 'withSpeech' | 'searchPath'>,
  { paceMs = 10, onActivity, transcribe, onWarning = () => {} }: LiveMediaOptions = {},
) {
  const told: Told[] = []
  const receiver = createReceiver(async (request, response) => {
    told.push(JSON.parse(await text(request)))
    response.end()
  })
  await once(receiver.listen(0, '127.0.0.1'), 'listening')
  const { port: receiverPort } = receiver.address() as AddressInfo
  const media = startEmbeddedMedia({
    ...{ clock: { now: () => new Date() }, apiKey: KEY, apiSecret: SECRET },
    webhookUrl: () => `http://127.0.0.1:${receiverPort}/`,
    live: { address: '127.0.0.1', ...limits },
    ...(recordings ? { recordings: { ...recordings, limits: { minutes: 60, bytes: 2 ** 30 } } } : {}),
    replaceMaker: (films) => films ?? FORGETFUL,
    paceMs,
    ...{ onActivity, transcribe, onWarning },
  })
  const listening = await listen(media, { port: 0 })
  const baseUrl = listening.url
  const port = Number(new URL(baseUrl).port)
  return {
    ...{ baseUrl, port, told, media },
    rooms: new RoomServiceClient(baseUrl, KEY, SECRET),
    recorder: new EgressClient(baseUrl, KEY, SECRET),
    async close() {
      await listening.close()
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
  { secret = SECRET, kind }: { secret?: string; kind?: string | undefined } = {},
): Promise<string> {
  const token = new AccessToken(KEY, secret, { identity, ttl: 60 })
  if (kind !== undefined) token.kind = kind
  token.addGrant({ roomJoin: true, room, ...grant })
  return await token.toJwt()
}

export type SignalClient = Awaited<ReturnType<typeof connectSignals>>

/** A client of signals only, without media. @returns when it was answered something */
export async function connectSignals(baseUrl: string, token: string, more = '', path = '/rtc') {
  const url = `${baseUrl.replace('http', 'ws')}${path}?protocol=15&access_token=${token}${more}`
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
  await until(() => answers.length > 0)
  return client
}

/** Waits for what a busy machine may take long to do. */
export async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  await vi.waitUntil(holds, { timeout: 240_000, interval: 20 })
}
