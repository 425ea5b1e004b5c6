import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface TcpGate {
  port: number
  /** Connections stay open, but nothing comes through any more, as behind a network that vanished. */
  freeze(): void
  /** New connections come through again; the frozen ones never do. */
  thaw(): void
  close(): Promise<void>
}

/** Stands in front of a TCP server and lets everything through, until it does not. */
export async function openTcpGate(target: { host: string; port: number }): Promise<TcpGate> {
  let frozen = false
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(target)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      let stuck = frozen
      from.on('data', (chunk) => {
        stuck ||= frozen
        if (!stuck) to.write(chunk)
      })
      from.on('error', () => {})
      from.on('close', () => {
        sockets.delete(from)
        if (!frozen) to.destroy()
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    freeze: () => {
      frozen = true
    },
    thaw: () => {
      frozen = false
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
