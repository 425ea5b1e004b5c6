import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * What a network does to a device. `half`: what it says arrives, and no answer does. `black-hole`: nothing passes, and
 * nothing is told of it; what was on its way comes when the network is back, as TCP sends it again. `cut`: connections
 * are gone, and none can be made.
 */
export const networks = ['open', 'slow', 'half', 'black-hole', 'cut'] as const
export type Network = (typeof networks)[number]

const SLOW_MS = 700

/** One device's way to the office. */
export interface Wire {
  port: number
  become(network: Network): void
  /** Every connection ends, and can be made again at once: from Wi-Fi to cable. */
  change(): void
  close(): Promise<void>
}

export async function openWire(toPort: number): Promise<Wire> {
  let network: Network = 'open'
  const pairs = new Set<{ client: Socket; office: Socket }>()
  /** Readers that wait for the network. */
  const waiting = new Set<() => void>()
  const mayPass = (isAnswer: boolean) =>
    network === 'open' || network === 'slow' || (network === 'half' && !isAnswer)
  const pass = async (from: Socket, to: Socket, isAnswer: boolean) => {
    for await (const bytes of from) {
      while (!mayPass(isAnswer)) await new Promise<void>((resolve) => waiting.add(resolve))
      if (network === 'slow') await pause(SLOW_MS)
      if (!to.writable) return
      to.write(bytes as Buffer)
    }
    to.end()
  }
  const server = createServer((client) => {
    if (network === 'cut') return void client.destroy()
    const office = connect(toPort, '127.0.0.1')
    const pair = { client, office }
    pairs.add(pair)
    const end = () => {
      pairs.delete(pair)
      client.destroy()
      office.destroy()
    }
    for (const socket of [client, office]) socket.on('error', end).on('close', end)
    pass(client, office, false).catch(end)
    pass(office, client, true).catch(end)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const change = () => {
    for (const { client, office } of pairs) for (const socket of [client, office]) socket.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    become(next) {
      network = next
      if (next === 'cut') change()
      for (const resolve of waiting) resolve()
      waiting.clear()
    },
    change,
    async close() {
      change()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
