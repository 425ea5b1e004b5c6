import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface TcpGate {
  /** In the place of the server's address. */
  url: string
  /** Connections stay open, but nothing comes through any more, as behind a network that vanished. */
  freeze(): void
  /** New connections come through again; the frozen ones never do. */
  thaw(): void
  close(): Promise<void>
}

/** Stands in front of a TCP server, given by an address with its port, and lets everything through, until it does not. */
export async function openTcpGate(target: string): Promise<TcpGate> {
  const url = new URL(target)
  const behind = { host: url.hostname, port: Number(url.port) }
  let frozen = false
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(behind)
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
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: url.href,
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
