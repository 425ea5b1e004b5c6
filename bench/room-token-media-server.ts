import { createServer } from 'node:http'

/** A media server that opens every room at once: of what it costs nothing shall be measured. Run by room-token.ts. */

const ROOM = Buffer.from(JSON.stringify({ sid: 'RM_bench', name: 'bench' }))
const HEADERS = { 'content-type': 'application/json', 'content-length': ROOM.byteLength }

const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => response.writeHead(200, HEADERS).end(ROOM))
})

process.once('disconnect', () => process.exit(0))
process.once('SIGTERM', () => process.exit(0))
server.listen(Number(process.argv[2]), '127.0.0.1')
