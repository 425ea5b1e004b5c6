import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { LiveRooms } from '../rooms/live-rooms.ts'
import type { NewParticipant, Room, Rooms } from '../rooms/rooms.ts'
import type { Clock } from '../timers.ts'
import { grantsOf, newcomerOf, type TokenKeys, tokenIn } from './access-tokens.ts'
import { textOf } from './api-messages.ts'
import { type JoinAsked, joinAskedIn } from './join-request.ts'
import { acceptingUpgrades, type Refused, refuseUpgrade } from './refused-upgrade.ts'

export interface SignallingNeeds extends TokenKeys {
  clock: Clock
  rooms: Rooms
  live: LiveRooms
  onFault(error: unknown): void
}

type Verdict = Refused | { room: Room; newcomer: NewParticipant; asked: JoinAsked }

const FULL: Refused = {
  status: 403,
  text: 'This room is full: no more people can come in at the moment',
}
const NO_REQUEST: Refused = { status: 400, text: 'join_request is required, as LiveKit has it' }

/** Where the official client comes in: by a token, and by nothing else. */
export interface Signalling {
  /** Takes over a socket that asked for a WebSocket, or refuses it in HTTP. It never rejects. */
  acceptUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>
  /** Whether the client would be let in, in words: pages of any origin may read it. */
  validate(request: IncomingMessage): Promise<{ status: number; text: string }>
  /** New clients are refused. */
  refuseAll(): void
}

export function openSignalling(needs: SignallingNeeds): Signalling {
  const { live, onFault } = needs
  let closing = false
  const accept = async (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const verdict = await judge(needs, request)
    if (socket.destroyed) return
    if (closing) return refuseUpgrade(socket, { status: 503, text: 'the server is closing' })
    if ('status' in verdict) return refuseUpgrade(socket, verdict)
    const upgrade = { request, socket: socket as Socket, head }
    const { room, newcomer, asked } = verdict
    const who = { room, identity: newcomer.identity }
    // once more: others who were judged at the same time have come in meanwhile
    if (!asked.isBack && live.isFull(room, newcomer)) return refuseUpgrade(socket, FULL)
    if (asked.isBack) live.resume(asked.sid, who, upgrade)
    else live.enter(room, newcomer, upgrade)
  }
  return {
    acceptUpgrade: acceptingUpgrades(accept, onFault),
    async validate(request) {
      const verdict = await judge(needs, request)
      if ('status' in verdict) return verdict
      return { status: 200, text: 'success' }
    },
    refuseAll() {
      closing = true
    },
  }
}

async function judge(needs: SignallingNeeds, request: IncomingMessage): Promise<Verdict> {
  const url = urlOf(request)
  const token = tokenIn(request)
  if (token === '') return { status: 401, text: 'permission denied: no token' }
  const grants = await grantsOf(needs, token, needs.clock.now())
  if (!grants) return { status: 401, text: 'invalid authorization token' }
  const name = textOf(grants.video, 'room')
  if (grants.video.roomJoin !== true || !name || !grants.identity)
    return { status: 401, text: 'permissions denied' }
  const room = needs.rooms.find(name)
  if (!room) return { status: 404, text: 'requested room does not exist' }
  const asked = joinAskedIn(url)
  if (!asked) return NO_REQUEST
  // a client that comes back is counted already
  const newcomer = newcomerOf(grants)
  if (!asked.isBack && needs.live.isFull(room, newcomer)) return FULL
  return { room, newcomer, asked }
}

function urlOf(request: IncomingMessage): URL {
  return new URL(request.url ?? '/', 'http://localhost')
}
