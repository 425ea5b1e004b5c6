import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface TcpGate {
  /** In the place of the server's address. */
  url: string
  /** Connections stay open, but nothing comes through any more, as behind a network that vanished. */
  freeze(): void
  /** New connections come through again; the frozen ones never do. */
  thaw(): void
  /** Ends all connections, and every new one as soon as it is made, as a balancer does that has no server. */
  refuse(): void
  /** How many it has refused. */
  refusals(): number
  /** New connections come through again. */
  admit(): void
  close(): Promise<void>
}

/** Stands in front of a TCP server, given by an address with its port, and lets everything through, until it does not. */
export async function openTcpGate(target: string): Promise<TcpGate> {
  const url = new URL(target)
  const behind = { host: url.hostname, port: Number(url.port) }
  let frozen = false
  let refusing = false
  let refusals = 0
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    if (refusing) {
      refusals += 1
      return near.destroy()
    }
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
    refuse: () => {
      refusing = true
      for (const socket of sockets) socket.destroy()
    },
    refusals: () => refusals,
    admit: () => {
      refusing = false
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
