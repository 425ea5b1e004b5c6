import { createServer } from 'node:http'
import { AccessToken, RoomServiceClient } from 'livekit-server-sdk'

/**
 * The least that can mint tokens for a room with LiveKit's own means: bare node:http, and its SDK. Nobody is asked who
 * they are. Run by room-token.ts: port, key, secret, room, the media server, and whether it opens the room as arguments.
 */

const [port, key = '', secret = '', room = '', media = '', work] = process.argv.slice(2)
const rooms = new RoomServiceClient(media, key, secret)

async function mint(): Promise<string> {
  if (work === 'open') await rooms.createRoom({ name: room, emptyTimeout: 300, departureTimeout: 20 })
  const token = new AccessToken(key, secret, { identity: '1', name: 'Ada', ttl: 600 })
  token.addGrant({ roomJoin: true, room, canPublish: true, canSubscribe: true, canPublishData: true })
  return await token.toJwt()
}

const server = createServer((request, response) => {
  request.resume()
  request.on('end', async () => {
    const text = JSON.stringify({ token: await mint(), url: media })
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(text),
    })
    response.end(text)
  })
})

process.once('disconnect', () => process.exit(0))
process.once('SIGTERM', () => process.exit(0))
server.listen(Number(port), '127.0.0.1')
