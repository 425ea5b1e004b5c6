import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { DisconnectReason, LeaveRequest, LeaveRequest_Action } from '@livekit/protocol'
import { type WebSocket, WebSocketServer } from 'ws'
import { joinAskedIn } from './api/join-request.ts'
import type { Handshake, MediaLimits, Order, Report } from './messages.ts'
import { openRecordings, type Recordings } from './recording/recordings.ts'
import { type MediaRoom, openRoom } from './room.ts'
import type { Session } from './sessions/session.ts'
import { openSignal, SIGNAL_BYTES_MAX } from './signal.ts'
import { paceSignals, SESSION_BYTES, type SignalPace } from './signal-pace.ts'

export interface MediaServerOptions extends MediaLimits {
  report(report: Report): void
  onFault(error: unknown): void
}

export interface MediaServer {
  obey(order: Order, socket: Socket | undefined): void
}

interface Inside {
  session: Session
  /** See `SignalPace`: for the person, in this room. */
  charge(bytes: number): number
}

/** What lives in this process, for the functions below. */
interface Living {
  readonly options: MediaServerOptions
  readonly rooms: Map<string, MediaRoom>
  readonly sessions: Map<string, Inside>
  readonly pace: SignalPace
  readonly recordings: Recordings
  readonly handshakes: WebSocketServer
}

type OrderTo<Kind extends Order['order']> = Extract<Order, { order: Kind }>

/** The rooms of this process, as the office orders them. Who may come in was decided there. */
export function openMediaServer(options: MediaServerOptions): MediaServer {
  const limits = { maxPayload: SIGNAL_BYTES_MAX, perMessageDeflate: false }
  const living: Living = {
    ...{ options, rooms: new Map(), sessions: new Map(), pace: paceSignals() },
    recordings: openRecordings(options.report),
    handshakes: new WebSocketServer({ noServer: true, ...limits }),
  }
  return { obey: (order, socket) => obey(living, order, socket) }
}

function obey(living: Living, order: Order, socket: Socket | undefined): void {
  const { rooms, sessions, recordings } = living
  switch (order.order) {
    case 'join':
      join(living, order, socket)
      break
    case 'resume':
      resume(living, order, socket)
      break
    case 'update':
      sessions.get(order.person.sid)?.session.update(order.person)
      break
    case 'describe':
      rooms.get(order.room.sid)?.describe(order.room)
      break
    case 'data':
      rooms.get(order.room)?.say(order.data)
      break
    case 'mute':
      sessions.get(order.sid)?.session.muteByServer(order.trackSid, order.muted)
      break
    case 'subscribe':
      sessions.get(order.sid)?.session.subscribe(order)
      break
    case 'call':
      sessions.get(order.sid)?.session.call(order.call)
      break
    case 'refresh':
      sessions.get(order.sid)?.session.send({ case: 'refreshToken', value: order.token })
      break
    case 'remove':
      sessions.get(order.sid)?.session.end(order.reason, { tellClient: true })
      break
    case 'record':
      recordings.start(order, rooms.get(order.room))
      break
    case 'caption':
      rooms.get(order.room)?.caption(order.caption)
      break
    case 'end-recording':
      recordings.end(order.recording)
      break
  }
}

function join(living: Living, order: OrderTo<'join'>, socket: Socket | undefined): void {
  const { pace, sessions } = living
  const { report, onFault } = living.options
  const { sid, identity } = order.person
  const key = `${order.room.sid} ${identity}`
  const charge = (bytes: number) => pace.charge(key, bytes)
  const asked = joinAskedIn(new URL(order.handshake.url, 'http://localhost'))
  if (!asked || charge(SESSION_BYTES) > 0) {
    socket?.destroy()
    report({ report: 'left', sid, reason: 'JOIN_FAILURE' })
    return
  }
  const isTaken = takeSocket(living, order.handshake, socket, (ws) => {
    const session = roomOf(living, order).join(order.person, asked)
    sessions.set(sid, { session, charge })
    session.start(openSignal(ws, { charge, onFault }), asked.offer)
  })
  if (!isTaken) report({ report: 'left', sid, reason: 'JOIN_FAILURE' })
}

function resume(living: Living, order: OrderTo<'resume'>, socket: Socket | undefined): void {
  const { sessions, options } = living
  const known = sessions.get(order.sid)
  if (known && known.charge(SESSION_BYTES) > 0) {
    socket?.destroy()
    return
  }
  takeSocket(living, order.handshake, socket, (ws) => {
    // it may have ended on the way
    const found = sessions.get(order.sid)
    const { onFault } = options
    if (found) found.session.resume(openSignal(ws, { charge: found.charge, onFault }))
    else sendToStart(ws)
  })
}

function roomOf({ options, rooms, sessions, recordings }: Living, order: OrderTo<'join'>): MediaRoom {
  const { cameras, address, onFault } = options
  const known = rooms.get(order.room.sid)
  if (known) return known
  const room = openRoom({
    description: order.room,
    cameras,
    address,
    onFault,
    report(what) {
      if (what.report === 'left') sessions.delete(what.sid)
      options.report(what)
    },
    onEmpty: () => rooms.delete(order.room.sid),
  })
  rooms.set(order.room.sid, room)
  recordings.attach(order.room.sid, room)
  return room
}

/** @returns false where it becomes no connection: closed on its way here, or no handshake of a WebSocket */
function takeSocket(
  { handshakes }: Living,
  handshake: Handshake,
  socket: Socket | undefined,
  use: (ws: WebSocket) => void,
): boolean {
  if (!socket) return false
  socket.on('error', () => socket.destroy())
  const request = { method: 'GET', ...handshake } as unknown as IncomingMessage
  let isTaken = false
  handshakes.handleUpgrade(request, socket, Buffer.from(handshake.head, 'base64'), (ws) => {
    isTaken = true
    use(ws)
  })
  return isTaken
}

/** A client that is not known here begins again, with connections of its own. */
function sendToStart(ws: WebSocket): void {
  const signal = openSignal(ws, { charge: () => 0, onFault: () => {} })
  signal.send({
    case: 'leave',
    value: new LeaveRequest({
      reason: DisconnectReason.STATE_MISMATCH,
      action: LeaveRequest_Action.RECONNECT,
      canReconnect: true,
    }),
  })
  signal.close()
}
