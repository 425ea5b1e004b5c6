import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Clock } from '../../platform/clock.ts'
import { serveUpgrades } from '../../platform/http/connections/upgrades.ts'
import type { Server } from '../../platform/http/server.ts'
import { grantsOf, newcomerOf, type TokenKeys } from './access-tokens.ts'
import type { LiveRooms } from './live-rooms.ts'
import { textOf } from './messages.ts'
import type { NewParticipant, Room, Rooms } from './rooms.ts'

export interface SignallingNeeds extends TokenKeys {
  clock: Clock
  rooms: Rooms
  live: LiveRooms
}

/** What the client is told where it is not let in: it shows the text to people. */
interface Refused {
  status: 401 | 403 | 404 | 503
  text: string
}

type Verdict = Refused | { room: Room; newcomer: NewParticipant }

const PATH = '/rtc'
/** Clients ask for it first. There is none, which makes them ask for the other. */
const NEWER_PATH = '/rtc/v1'
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
export function serveSignalling(server: Server, needs: SignallingNeeds): void {
  const { live } = needs
  let closing = false
  const close = async () => {
    closing = true
    await live.close()
  }
  serveUpgrades(server, {
    path: PATH,
    close,
    async accept(request, socket, head) {
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
    },
  })
  serveUpgrades(server, {
    path: NEWER_PATH,
    close,
    accept: (_request, socket) => refuse(socket, NO_NEWER_PATH),
  })
  for (const path of [PATH, NEWER_PATH])
    server.get(`${path}/validate`, async (request, reply) => {
      const verdict = await judge(needs, request.raw)
      reply.header('cache-control', 'no-store').type('text/plain; charset=utf-8')
      tellEveryOrigin(reply)
      if ('status' in verdict) return reply.status(verdict.status).send(verdict.text)
      if (path === NEWER_PATH) return reply.status(404).send(NO_NEWER_PATH.text)
      return reply.send('success')
    })
}

/**
 * As LiveKit does: a token lets in whatever page shows it, and a page that may not read the answer would take a refusal,
 * or the missing newer path, for a server that is away. Nothing else is in it, and it asks for no cookies.
 */
function tellEveryOrigin(reply: FastifyReply): void {
  if (!reply.hasHeader('access-control-allow-origin')) reply.header('access-control-allow-origin', '*')
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
