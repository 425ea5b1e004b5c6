import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { WebSocketServer } from 'ws'

/**
 * The least that can carry a status to a client: bare node:http that hands the body to every WebSocket. No table, no
 * session, no order, nothing kept. Run by status-change.ts: the port as argument.
 */

const [port] = process.argv.slice(2)

const server = createServer(async (request, response) => {
  const body = await text(request)
  for (const client of sockets.clients) client.send(body)
  response.end(body)
})
const sockets = new WebSocketServer({ server })

process.once('disconnect', () => process.exit(0))
process.once('SIGTERM', () => process.exit(0))
server.listen(Number(port), '127.0.0.1')
