import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { LiveRooms } from '../rooms/live-rooms.ts'
import type { NewParticipant, Room, Rooms } from '../rooms/rooms.ts'
import type { Clock } from '../timers.ts'
import { grantsOf, newcomerOf, type TokenKeys } from './access-tokens.ts'
import { textOf } from './api-messages.ts'

export interface SignallingNeeds extends TokenKeys {
  clock: Clock
  rooms: Rooms
  live: LiveRooms
  onFault(error: unknown): void
}

/** What the client is told where it is not let in: it shows the text to people. */
interface Refused {
  status: 401 | 403 | 404 | 503
  text: string
}

type Verdict = Refused | { room: Room; newcomer: NewParticipant }

export const SIGNAL_PATH = '/rtc'
/** Clients ask for it first. There is none, which makes them ask for the other. */
export const NEWER_SIGNAL_PATH = '/rtc/v1'
const STATUS_TEXTS = {
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  503: 'Service Unavailable',
}
const FULL: Refused = {
  status: 403,
  text: 'This room is full: no more people can come in at the moment',
}
const NO_NEWER_PATH: Refused = { status: 404, text: 'this server has no such path: use /rtc' }

/** Where the official client comes in: by a token, and by nothing else. */
export interface Signalling {
  /** Takes over a socket that asked for a WebSocket, or refuses it in HTTP. It never rejects. */
  acceptUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>
  /** Whether the client would be let in, in words: pages of any origin may read it. */
  validate(request: IncomingMessage): Promise<{ status: number; text: string }>
  /** Nobody is let in any more. */
  refuseAll(): void
}

export function openSignalling(needs: SignallingNeeds): Signalling {
  const { live, onFault } = needs
  let closing = false
  const accept = async (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (pathOf(request) !== SIGNAL_PATH) return refuse(socket, NO_NEWER_PATH)
    const verdict = await judge(needs, request)
    if (socket.destroyed) return
    if (closing) return refuse(socket, { status: 503, text: 'the server is closing' })
    if ('status' in verdict) return refuse(socket, verdict)
    const upgrade = { request, socket: socket as Socket, head }
    const { searchParams } = urlOf(request)
    const { room, newcomer } = verdict
    const who = { room, identity: newcomer.identity }
    const isBack = searchParams.get('reconnect') === '1'
    // once more: others who were judged at the same time have come in meanwhile
    if (!isBack && live.isFull(room, newcomer)) return refuse(socket, FULL)
    if (isBack) live.resume(searchParams.get('sid') ?? '', who, upgrade)
    else live.enter(room, newcomer, upgrade)
  }
  return {
    async acceptUpgrade(request, socket, head) {
      try {
        await accept(request, socket, head)
      } catch (error) {
        socket.destroy()
        onFault(error)
      }
    },
    async validate(request) {
      const verdict = await judge(needs, request)
      if ('status' in verdict) return verdict
      if (!pathOf(request).startsWith(`${SIGNAL_PATH}/validate`)) return NO_NEWER_PATH
      return { status: 200, text: 'success' }
    },
    refuseAll() {
      closing = true
    },
  }
}

function pathOf(request: IncomingMessage): string {
  return urlOf(request).pathname
}

async function judge(needs: SignallingNeeds, request: IncomingMessage): Promise<Verdict> {
  const { searchParams } = urlOf(request)
  const bearer = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1]
  const token = bearer ?? searchParams.get('access_token') ?? ''
  if (token === '') return { status: 401, text: 'permission denied: no token' }
  const grants = await grantsOf(needs, token, needs.clock.now())
  if (!grants) return { status: 401, text: 'invalid authorization token' }
  const name = textOf(grants.video, 'room')
  if (grants.video.roomJoin !== true || !name || !grants.identity)
    return { status: 401, text: 'permissions denied' }
  const room = needs.rooms.find(name)
  if (!room) return { status: 404, text: 'requested room does not exist' }
  // whoever comes back is counted already
  const newcomer = newcomerOf(grants)
  if (searchParams.get('reconnect') !== '1' && needs.live.isFull(room, newcomer)) return FULL
  return { room, newcomer }
}

function urlOf(request: IncomingMessage): URL {
  return new URL(request.url ?? '/', 'http://localhost')
}

function refuse(socket: Duplex, { status, text }: Refused): void {
  const head = `HTTP/1.1 ${status} ${STATUS_TEXTS[status]}\r\nConnection: close\r\nContent-Type: text/plain\r\n`
  socket.end(`${head}Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
}
