import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { EmbeddedPostgresFailure } from './failure.ts'

// Below the ports that systems give to outgoing connections: one that was free stays so until it is listened on,
// also while this machine makes many connections, and after a crash until the restart.
const FIRST = 20_000
const LAST = 32_000
const ATTEMPTS = 50

export interface ReservedPort {
  port: number
  /** Frees the port for the process that listens on it next. */
  release(): Promise<void>
}

/** A TCP port of 127.0.0.1 without a listener at this moment. Another process may still take it first. */
export async function freePort(): Promise<number> {
  const { port, release } = await reservePort()
  await release()
  return port
}

/** A free TCP port of 127.0.0.1, held until it is released. @throws EmbeddedPostgresFailure where there is none */
export async function reservePort(): Promise<ReservedPort> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = randomInt(FIRST, LAST)
    const holder = await listenOn(port)
    if (!holder) continue
    return {
      port,
      release: async () => {
        if (!holder.listening) return
        holder.close()
        await once(holder, 'close')
      },
    }
  }
  throw new EmbeddedPostgresFailure(`No free port between ${FIRST} and ${LAST} on 127.0.0.1.`)
}

async function listenOn(port: number) {
  const server = createServer().listen({ port, host: '127.0.0.1', exclusive: true })
  try {
    await once(server, 'listening')
    return server
  } catch {
    return undefined
  }
}
