import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { Ends } from '../processes.ts'

/** The network between browsers and an office. */
export interface Gate {
  /** Where browsers find the office. */
  url: string
  /** Where it leads from now on: an office that was started again is at another port. */
  leadTo(url: string): void
  /** Ends every connection, and lets none in. */
  cut(): void
  mend(): void
}

export async function openGate(ends: Ends): Promise<Gate> {
  const sockets = new Set<Socket>()
  let target: URL | undefined
  let isCut = false
  const server = createServer((near) => {
    if (isCut || !target) return void near.destroy()
    const far = connect(Number(target.port), target.hostname)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('error', () => {})
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  })
  server.listen(0, 'localhost')
  await once(server, 'listening')
  const closeAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  ends.push(async () => {
    closeAll()
    server.close()
  })
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    leadTo(url) {
      target = new URL(url)
      closeAll()
    },
    cut() {
      isCut = true
      closeAll()
    },
    mend() {
      isCut = false
    },
  }
}
