import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { Benchmark, Sample } from './benchmark.ts'
import { missingCentrifugo, placeCentrifugo, startCentrifugo } from './centrifugo.ts'
import { openContest, openProduction, pinSides } from './opening.ts'
import { ascending, quantile } from './statistics.ts'

const SECRET = 'a secret of this benchmark only'
export const CONNECTIONS = 1_000
export const EVENTS = 30
const ARRIVES_WITHIN_MS = 30_000

/** Many clients that count what arrives. */
export interface Crowd {
  /** Resolves when every client has heard `text` once. */
  all(text: string): Promise<void>
  close(): void
}

export const fanOut: Benchmark = {
  name: 'fan-out',
  describe: `a status change until all of ${CONNECTIONS} clients have it, through table, outbox and embedded broker, against a direct publish of a real Centrifugo v5 to as many (deliveries a second)`,
  unit: 'requests/s',
  // ours goes a longer way, through request, table and outbox
  goal: { ratioMin: 0.5 },
  missing: missingCentrifugo,
  prepare: () =>
    openContest(async (ends) => {
      const { office, running, person } = await openProduction(ends, { CONNECTIONS_PER_USER: '0' })
      const centrifugo = await startCentrifugo(await placeCentrifugo(SECRET), ends)
      pinSides(ends, running, centrifugo)

      const ours = await connectionOf(office.url, person.cookie)
      const status = String(claimsOf(ours.token).channels[0]).replace(/^user:/, 'status:')
      const before = [memoryOf(running.pid), memoryOf(centrifugo.pid)] as const
      const near = await gather(ours.url, ours.token, status)
      ends.push(async () => near.close())
      const far = await gather(centrifugo.url, centrifugo.token)
      ends.push(async () => far.close())
      const perConnection = [running.pid, centrifugo.pid].map(
        (pid, side) => (memoryOf(pid) - (before[side] ?? 0)) / CONNECTIONS,
      )

      let made = 0
      const change = async () => {
        made += 1
        const chosen = made % 2 ? 'busy' : 'away'
        await Promise.all([near.all(`"${chosen}"`), choose(office.url, person.cookie, chosen)])
      }
      const publish = async () => {
        made += 1
        const text = `event ${made}.`
        await Promise.all([far.all(text), answered(centrifugo.publish({ text }))])
      }
      const subject = () => run(change, perConnection[0] ?? 0)
      const baseline = () => run(publish, perConnection[1] ?? 0)
      for (const side of [subject, baseline]) await side()
      return { subject, baseline }
    }),
}

export async function run(event: () => Promise<void>, kilobytes: number): Promise<Sample> {
  const times: number[] = []
  for (let number = 0; number < EVENTS; number += 1) {
    const began = performance.now()
    await event()
    times.push(performance.now() - began)
  }
  const sorted = ascending(times)
  const [median, p99] = [quantile(sorted, 0.5), quantile(sorted, 0.99)]
  return {
    value: (CONNECTIONS * 1_000) / median,
    details: { 'last ms': median, 'p99 ms': p99, 'kB each': kilobytes },
  }
}

/** What a client of the office connects with. */
export async function connectionOf(url: string, cookie: string): Promise<{ token: string; url: string }> {
  const answer = await fetch(`${url}/websocket/token`, { method: 'POST', headers: { cookie } })
  return (await answer.json()) as { token: string; url: string }
}

export function choose(url: string, cookie: string, status: string): Promise<void> {
  const headers = { 'content-type': 'application/json', cookie }
  return answered(
    fetch(`${url}/presence/status`, { method: 'POST', headers, body: JSON.stringify({ status }) }),
  )
}

export async function answered(asking: Promise<Response>): Promise<void> {
  const answer = await asking
  assert.equal(answer.status, 200)
  await answer.text()
}

/** Clients of the broker's protocol, subscribed to `channel` where their token does not do that. */
export function gather(address: string, token: string, channel?: string): Promise<Crowd> {
  const commands: object[] = [{ id: 1, connect: { token } }]
  if (channel) commands.push({ id: 2, subscribe: { channel } })
  const greeting = commands.map((command) => JSON.stringify(command)).join('\n')
  return gatherAt([address], { greeting, ready: `"id":${commands.length}`, ping: '{}', pong: '{}' })
}

/** What a client says and hears before and between publications. */
export interface Dialect {
  greeting: string
  /** In the answer to the greeting. */
  ready: string
  ping: string
  pong: string
}

/** Connects one after the other, so that the door is not what is measured; to the addresses in turn. */
export async function gatherAt(addresses: readonly string[], dialect: Dialect): Promise<Crowd> {
  const { greeting, ready, ping, pong } = dialect
  const sockets: WebSocket[] = []
  let waiting: { text: string; left: number; resolve: () => void } | undefined
  for (let number = 0; number < CONNECTIONS; number += 1) {
    const address = addresses[number % addresses.length] ?? ''
    const socket = new WebSocket(address)
    sockets.push(socket)
    await new Promise<void>((resolve, reject) => {
      socket.onopen = () => socket.send(greeting)
      socket.onclose = ({ code, reason }) => reject(new Error(`${address}: ${code} ${reason}`))
      socket.onmessage = ({ data }) => {
        const text = String(data)
        if (text.includes(ready)) resolve()
        for (const line of text.split('\n')) if (line === ping) socket.send(pong)
        if (!waiting || !text.includes(waiting.text)) return
        waiting.left -= 1
        if (waiting.left === 0) waiting.resolve()
      }
    })
  }
  return {
    all: (text) =>
      new Promise((resolve, reject) => {
        const late = setTimeout(
          () => reject(new Error(`${text} did not arrive everywhere`)),
          ARRIVES_WITHIN_MS,
        )
        waiting = {
          text,
          left: CONNECTIONS,
          resolve() {
            clearTimeout(late)
            resolve()
          },
        }
      }),
    close: () => {
      for (const socket of sockets) socket.close()
    },
  }
}

export function claimsOf(token: string): { channels: string[] } {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { channels: string[] }
}

/** Resident, in kB; 0 where the system does not tell. */
export function memoryOf(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}
