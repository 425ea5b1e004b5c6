import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { EmbeddedPostgresFailure } from './failure.ts'

// Below the ports that systems give to outgoing connections: after a crash ours is still free for the restart.
const FIRST = 20_000
const LAST = 32_000
const ATTEMPTS = 50

/** A TCP port of 127.0.0.1 that nobody listens on at this moment. Another process may still be faster. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = randomInt(FIRST, LAST)
    if (await canListen(port)) return port
  }
  throw new EmbeddedPostgresFailure(`No free port between ${FIRST} and ${LAST} on 127.0.0.1 for PostgreSQL.`)
}

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)))
  })
}
