import { createServer, type Server as HttpServer } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

/**
 * A node of Socket.IO with the Redis adapter: every client is in one room, and what is posted to `/publish` is emitted
 * to that room on all nodes. No table, no outbox, no check. Run by socket-io.ts: port, folder of the packages and
 * address of Redis as arguments.
 */

const [port, folder = '', redisUrl = ''] = process.argv.slice(2)

interface RedisClient {
  duplicate(): RedisClient
  on(event: 'error', listener: () => void): void
  connect(): Promise<unknown>
}

interface SocketIo {
  on(event: 'connection', listener: (socket: { join(room: string): void }) => void): void
  to(room: string): { emit(event: string, data: unknown): void }
}

interface Packages {
  redis: { createClient(options: { url: string }): RedisClient }
  adapter: { createAdapter(publishing: RedisClient, subscribed: RedisClient): unknown }
  socketIo: { Server: new (server: HttpServer, options: object) => SocketIo }
}

const load = createRequire(join(folder, 'package.json'))
const packages: Packages = {
  redis: load('redis'),
  adapter: load('@socket.io/redis-adapter'),
  socketIo: load('socket.io'),
}

const publishing = packages.redis.createClient({ url: redisUrl })
const subscribed = publishing.duplicate()
for (const client of [publishing, subscribed]) {
  // without a listener it does not connect again
  client.on('error', () => {})
  await client.connect()
}

const server = createServer(async (request, response) => {
  if (request.url === '/publish') {
    io.to('status').emit('status', JSON.parse(await text(request)))
    response.setHeader('content-type', 'application/json')
  }
  response.end('{}')
})
const io = new packages.socketIo.Server(server, {
  adapter: packages.adapter.createAdapter(publishing, subscribed),
  transports: ['websocket'],
  serveClient: false,
})
io.on('connection', (socket) => socket.join('status'))

process.once('disconnect', () => process.exit(0))
process.once('SIGTERM', () => process.exit(0))
server.listen(Number(port), '127.0.0.1')
