import { createServer } from 'node:http'
import { WebhookReceiver } from 'livekit-server-sdk'

/**
 * The least that can take in LiveKit's events with LiveKit's own means: bare node:http, and the receiver of its SDK,
 * which verifies and decodes. What it took is forgotten. Run by webhook.ts: port, key and secret as arguments.
 */

const [port, key = '', secret = ''] = process.argv.slice(2)
const receiver = new WebhookReceiver(key, secret)
const TAKEN = JSON.stringify({ code: 200, message: 'Event received' })
const REFUSED = JSON.stringify({ error: 'Failed to receive webhook event' })

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', async () => {
    const answer = await receiver
      .receive(Buffer.concat(chunks).toString(), request.headers.authorization)
      .then(
        () => ({ status: 200, text: TAKEN }),
        () => ({ status: request.method === 'GET' ? 200 : 500, text: REFUSED }),
      )
    response.writeHead(answer.status, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(answer.text),
    })
    response.end(answer.text)
  })
})

process.once('disconnect', () => process.exit(0))
process.once('SIGTERM', () => process.exit(0))
server.listen(Number(port), '127.0.0.1')
