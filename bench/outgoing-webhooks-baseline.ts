import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'

/**
 * The least that can send events: signs each as Standard Webhooks says, and posts it. Nothing is read or written down, and
 * nothing tried again. Run by outgoing-webhooks.ts: port and receiver as arguments.
 */

const [port, receiver = ''] = process.argv.slice(2)
const AT_ONCE = 24
const key = randomBytes(32)

async function post(n: number): Promise<void> {
  const id = randomUUID()
  const timestamp = Math.floor(Date.now() / 1_000)
  const data = { roomId: `room-${n % 200}`, name: `Room ${n}` }
  const body = JSON.stringify({ id, type: 'room.created', timestamp: new Date().toISOString(), data })
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${signature}`,
  }
  const answer = await fetch(receiver, { method: 'POST', headers, body })
  await answer.arrayBuffer()
}

const server = createServer(async (request, response) => {
  if (request.method === 'GET') return response.end()
  const left = Array.from(
    { length: Number(new URL(request.url ?? '', receiver).searchParams.get('count')) },
    (_, n) => n,
  )
  const lane = async () => {
    for (let n = left.pop(); n !== undefined; n = left.pop()) await post(n)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  return response.end()
})

process.once('disconnect', () => process.exit(0))
process.once('SIGTERM', () => process.exit(0))
server.listen(Number(port), '127.0.0.1')
