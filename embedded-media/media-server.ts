import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { DisconnectReason, LeaveRequest, LeaveRequest_Action } from '@livekit/protocol'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Handshake, MediaLimits, Order, Report } from './messages.ts'
import { type MediaRoom, openRoom } from './room.ts'
import type { Session } from './session.ts'
import { openSignal, SIGNAL_BYTES_MAX } from './signal.ts'

export interface MediaServerOptions extends MediaLimits {
  report(report: Report): void
  onFault(error: unknown): void
}

export interface MediaServer {
  obey(order: Order, socket: Socket | undefined): void
}

/** The rooms of this process, as the office orders them. Who may come in was decided there. */
export function openMediaServer({ address, cameras, report, onFault }: MediaServerOptions): MediaServer {
  const rooms = new Map<string, MediaRoom>()
  const sessions = new Map<string, Session>()
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
    const { sid } = order.person
    const isTaken = takeSocket(order.handshake, socket, (ws) => {
      const session = roomOf(order).join(order.person, optionsOf(order.handshake.url))
      sessions.set(sid, session)
      session.start(openSignal(ws, onFault))
    })
    if (!isTaken) report({ report: 'left', sid, reason: 'JOIN_FAILURE' })
  }

  return {
    obey(order, socket) {
      switch (order.order) {
        case 'join':
          return join(order, socket)
        case 'resume':
          return void takeSocket(order.handshake, socket, (ws) => {
            const session = sessions.get(order.sid)
            if (session) session.resume(openSignal(ws, onFault))
            else sendToStart(ws)
          })
        case 'update':
          return sessions.get(order.person.sid)?.update(order.person)
        case 'describe':
          return rooms.get(order.room.sid)?.describe(order.room)
        case 'mute':
          return sessions.get(order.sid)?.muteByServer(order.trackSid, order.muted)
        case 'refresh':
          return sessions.get(order.sid)?.send({ case: 'refreshToken', value: order.token })
        case 'remove':
          return sessions.get(order.sid)?.end(order.reason, { tellClient: true })
      }
    },
  }
}

function optionsOf(url: string): { autoSubscribe: boolean } {
  const query = new URL(url, 'http://localhost').searchParams
  return { autoSubscribe: query.get('auto_subscribe') !== '0' }
}

/** Whoever is not known here begins again, with connections of their own. */
function sendToStart(ws: WebSocket): void {
  const signal = openSignal(ws, () => {})
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
