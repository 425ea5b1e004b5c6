import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { WebhookReceiver } from 'livekit-server-sdk'
import { WebSocketServer } from 'ws'

/**
 * The least that can tell of who comes into a room: bare node:http with the receiver of LiveKit's SDK, which verifies
 * and decodes, and hands it to every WebSocket. No table, nothing counted, nothing kept. Run by room-entered.ts: port,
 * key and secret as arguments.
 */

const [port, key = '', secret = ''] = process.argv.slice(2)
const receiver = new WebhookReceiver(key, secret)
const NAMES: Readonly<Record<string, string>> = {
  participant_joined: 'room.entered',
  participant_left: 'room.left',
}

const server = createServer(async (request, response) => {
  if (request.method === 'GET') return response.end()
  const event = await receiver.receive(await text(request), request.headers.authorization)
  const told = JSON.stringify({
    type: NAMES[event.event],
    roomId: event.room?.name,
    userId: event.participant?.identity,
  })
  for (const client of sockets.clients) client.send(told)
  return response.end()
})
const sockets = new WebSocketServer({ server })

process.once('disconnect', () => process.exit(0))
process.once('SIGTERM', () => process.exit(0))
server.listen(Number(port), '127.0.0.1')
