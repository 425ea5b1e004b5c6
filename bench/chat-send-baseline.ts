import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { WebSocketServer } from 'ws'

/**
 * The least that can carry a message to a colleague and keep it: bare node:http, one row in a table of its own, and the
 * body handed to every WebSocket. Nobody is asked who they are, or whether they may. Run by chat-send.ts: port and
 * database as arguments.
 */

const [port, connectionString] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString, max: 10 })
await pool.query(
  `create table if not exists bare_messages (
     id bigint generated always as identity primary key, conversation bigint, content text, created_at timestamptz)`,
)

const server = createServer(async (request, response) => {
  if (request.method === 'GET') return response.end()
  const body = await text(request)
  const { conversation_id, content } = JSON.parse(body) as { conversation_id: number; content: string }
  await pool.query({
    name: 'message',
    text: 'insert into bare_messages (conversation, content, created_at) values ($1, $2, now())',
    values: [conversation_id, content],
  })
  for (const client of sockets.clients) client.send(body)
  return response.end()
})
const sockets = new WebSocketServer({ server })

process.once('disconnect', () => process.exit(0))
process.once('SIGTERM', () => process.exit(0))
server.listen(Number(port), '127.0.0.1')
