import { createServer } from 'node:http'

/**
 * The least that can answer `POST /internal/broker/subscribe`: bare node:http that reads and parses the body and
 * answers the same bytes, without looking at a secret or a channel. Run by subscribe-proxy.ts: port as argument.
 */

const [port] = process.argv.slice(2)
const ALLOWED = JSON.stringify({ result: {} })

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    const text = Buffer.concat(chunks).toString()
    if (text !== '') JSON.parse(text)
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(ALLOWED),
    })
    response.end(ALLOWED)
  })
})

process.once('disconnect', () => process.exit(0))
process.once('SIGTERM', () => process.exit(0))
server.listen(Number(port), '127.0.0.1')
