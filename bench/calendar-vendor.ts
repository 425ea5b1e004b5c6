import { createServer, type ServerResponse } from 'node:http'

/**
 * A vendor whose calendars always take 50 ms: `calendar-vendor.ts <port>`. Tells at /slowest how long its slowest answer
 * since the last question took, by its own clock.
 */
const [port = '0'] = process.argv.slice(2)
const url = `http://127.0.0.1:${port}`
const ANSWER_AFTER_MS = 50
const EVENTS = 250
const HOUR_MS = 60 * 60 * 1_000
const FIRST = Date.UTC(2026, 2, 2, 8)

const moment = (at: number) => ({
  dateTime: new Date(at).toISOString().replace('.000', ''),
  timeZone: 'Europe/Berlin',
})
const events = JSON.stringify({
  kind: 'calendar#events',
  timeZone: 'Europe/Berlin',
  items: Array.from({ length: EVENTS }, (_, index) => ({
    kind: 'calendar#event',
    id: `series${index % 10}_202603${String(index).padStart(4, '0')}T080000Z`,
    status: 'confirmed',
    summary: `Meeting ${index}`,
    organizer: { email: 'grace@people.example', displayName: 'Grace Hopper' },
    start: moment(FIRST + index * HOUR_MS),
    end: moment(FIRST + (index + 1) * HOUR_MS),
    recurringEventId: `series${index % 10}`,
    attendees: ['ada', 'alan', 'katherine', 'edsger'].map((name) => ({
      email: `${name}@people.example`,
      responseStatus: name === 'edsger' ? 'needsAction' : 'accepted',
    })),
  })),
})
const metadata = JSON.stringify({
  issuer: url,
  authorization_endpoint: `${url}/authorize`,
  token_endpoint: `${url}/token`,
  jwks_uri: `${url}/keys`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
})
const tokens = JSON.stringify({
  access_token: 'bench',
  token_type: 'Bearer',
  expires_in: 86_400,
  refresh_token: 'bench',
})

let slowest = 0

const server = createServer((request, response) => {
  request.resume()
  const { pathname } = new URL(request.url ?? '', url)
  if (pathname === '/.well-known/openid-configuration') return send(response, metadata)
  if (pathname === '/token') return send(response, tokens)
  if (pathname === '/slowest') {
    send(response, JSON.stringify({ ms: slowest }))
    slowest = 0
    return
  }
  const began = performance.now()
  setTimeout(() => {
    response.once('finish', () => {
      slowest = Math.max(slowest, performance.now() - began)
    })
    send(response, pathname.endsWith('/events') ? events : '{}')
  }, ANSWER_AFTER_MS)
})

function send(response: ServerResponse, body: string): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
  response.end(body)
}

process.once('disconnect', () => process.exit(0))
process.once('SIGTERM', () => process.exit(0))
server.listen(Number(port), '127.0.0.1')
