import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import type { Ends } from '../processes.ts'
import { eventually } from '../waiting.ts'

/** Stands between a node and PostgreSQL; everything but the connection for notifications passes always. */
export interface NotificationGate {
  /** In the place of the database's address. */
  url: string
  /** The connection for notifications is closed, and closed again whenever it comes back. */
  cut(): void
  /** It stays open and nothing comes through any more, as behind a network that vanished. */
  silence(): void
  /**
   * New connections for notifications come through again. Resolves when one listens.
   * @throws Error where none does in time
   */
  mend(): Promise<void>
}

/** As a node names that connection when it opens it. */
const NAME = 'application_name\0atrium notifications\0'
const LISTENS_WITHIN_MS = 60_000

export async function openNotificationGate(databaseUrl: string, ends: Ends): Promise<NotificationGate> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  const known = new Set<Socket>()
  const listening = new Set<Socket>()
  let mode: 'open' | 'cut' | 'silent' = 'open'

  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname)
    let isForNotifications = false
    let isSilent = false
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('error', () => {})
      from.on('close', () => {
        sockets.delete(from)
        known.delete(from)
        listening.delete(from)
        to.destroy()
      })
      from.on('data', (chunk: Buffer) => {
        if (from === near && chunk.includes(NAME)) {
          isForNotifications = true
          known.add(near)
          if (mode === 'cut') near.destroy()
        }
        // answered, once the server has something to say after it
        if (from === far && known.has(near) && chunk.includes('LISTEN')) listening.add(near)
        // what was silent once stays so: the other side has to open another one
        isSilent ||= isForNotifications && mode === 'silent'
        if (!isSilent && !to.destroyed) to.write(chunk)
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  ends.push(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('the gate has no port')
  const url = new URL(databaseUrl)
  url.port = String(address.port)
  return {
    url: url.href,
    cut() {
      mode = 'cut'
      for (const socket of known) socket.destroy()
    },
    silence() {
      mode = 'silent'
    },
    async mend() {
      mode = 'open'
      const silent = [...known]
      const again = () => [...listening].some((socket) => !silent.includes(socket))
      await eventually('somebody listens again', again, { withinMs: LISTENS_WITHIN_MS, everyMs: 50 })
    },
  }
}
