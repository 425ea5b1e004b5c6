import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { DisconnectReason, LeaveRequest, LeaveRequest_Action } from '@livekit/protocol'
import { type WebSocket, WebSocketServer } from 'ws'
import { joinAskedIn } from './api/join-request.ts'
import type { Handshake, MediaLimits, Order, Report } from './messages.ts'
import { openRecordings } from './recording/recordings.ts'
import { type MediaRoom, openRoom } from './room.ts'
import type { Session } from './sessions/session.ts'
import { openSignal, SIGNAL_BYTES_MAX } from './signal.ts'
import { paceSignals, SESSION_BYTES } from './signal-pace.ts'

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

/** The rooms of this process, as the office orders them. Who may come in was decided there. */
export function openMediaServer({ address, cameras, report, onFault }: MediaServerOptions): MediaServer {
  const rooms = new Map<string, MediaRoom>()
  const sessions = new Map<string, Inside>()
  const pace = paceSignals()
  const recordings = openRecordings(report)
  const handshakes = new WebSocketServer({
    noServer: true,
    maxPayload: SIGNAL_BYTES_MAX,
    perMessageDeflate: false,
  })

  const roomOf = (order: Extract<Order, { order: 'join' }>): MediaRoom => {
    const known = rooms.get(order.room.sid)
    if (known) return known
    const room = openRoom({
      description: order.room,
      cameras,
      address,
      onFault,
      report(what) {
        if (what.report === 'left') sessions.delete(what.sid)
        report(what)
      },
      onEmpty: () => rooms.delete(order.room.sid),
    })
    rooms.set(order.room.sid, room)
    recordings.attach(order.room.sid, room)
    return room
  }
  /** @returns false where it becomes no connection: closed on its way here, or no handshake of a WebSocket */
  const takeSocket = (handshake: Handshake, socket: Socket | undefined, use: (ws: WebSocket) => void) => {
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
  const join = (order: Extract<Order, { order: 'join' }>, socket: Socket | undefined) => {
    const { sid, identity } = order.person
    const key = `${order.room.sid} ${identity}`
    const charge = (bytes: number) => pace.charge(key, bytes)
    const asked = joinAskedIn(new URL(order.handshake.url, 'http://localhost'))
    if (!asked || charge(SESSION_BYTES) > 0) {
      socket?.destroy()
      return report({ report: 'left', sid, reason: 'JOIN_FAILURE' })
    }
    const isTaken = takeSocket(order.handshake, socket, (ws) => {
      const session = roomOf(order).join(order.person, asked)
      sessions.set(sid, { session, charge })
      session.start(openSignal(ws, { charge, onFault }), asked.offer)
    })
    if (!isTaken) report({ report: 'left', sid, reason: 'JOIN_FAILURE' })
  }
  const resume = (order: Extract<Order, { order: 'resume' }>, socket: Socket | undefined) => {
    const known = sessions.get(order.sid)
    if (known && known.charge(SESSION_BYTES) > 0) return void socket?.destroy()
    takeSocket(order.handshake, socket, (ws) => {
      // it may have ended on the way
      const found = sessions.get(order.sid)
      if (found) found.session.resume(openSignal(ws, { charge: found.charge, onFault }))
      else sendToStart(ws)
    })
  }

  return {
    obey(order, socket) {
      switch (order.order) {
        case 'join':
          return join(order, socket)
        case 'resume':
          return resume(order, socket)
        case 'update':
          return sessions.get(order.person.sid)?.session.update(order.person)
        case 'describe':
          return rooms.get(order.room.sid)?.describe(order.room)
        case 'data':
          return rooms.get(order.room)?.say(order.data)
        case 'mute':
          return sessions.get(order.sid)?.session.muteByServer(order.trackSid, order.muted)
        case 'subscribe':
          return sessions.get(order.sid)?.session.subscribe(order)
        case 'call':
          return sessions.get(order.sid)?.session.call(order.call)
        case 'refresh':
          return sessions.get(order.sid)?.session.send({ case: 'refreshToken', value: order.token })
        case 'remove':
          return sessions.get(order.sid)?.session.end(order.reason, { tellClient: true })
        case 'record':
          return recordings.start(order, rooms.get(order.room))
        case 'end-recording':
          return recordings.end(order.recording)
      }
    },
  }
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
