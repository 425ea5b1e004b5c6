import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import type { Benchmark, Sample } from './benchmark.ts'
import { type FirstPerson, signUp } from './first-person.ts'
import { prepareOffice } from './office.ts'
import { pinLoad, pinMeasured } from './pinning.ts'
import { freePort, startServer } from './server-process.ts'
import { ascending, quantile } from './statistics.ts'

const BASELINE = fileURLToPath(new URL('status-change-baseline.ts', import.meta.url))
const CHANGES = 200
const WARM_UP_CHANGES = 50
const ARRIVES_WITHIN_MS = 10_000

/** A listening client: what comes after `ready` is a publication, or a ping. */
interface Listener {
  /** Resolves at the next publication that holds the text. */
  next(text: string): Promise<void>
  close(): void
}

export const statusChange: Benchmark = {
  name: 'status-change',
  describe:
    'POST /presence/status until it arrives at a subscribed client, through table, outbox and embedded broker (median), against bare node:http that hands the text to a WebSocket',
  unit: 'ms',
  goal: { subjectMax: 10 },
  async prepare() {
    const office = await prepareOffice()
    const closing: (() => Promise<unknown>)[] = [() => office.remove()]
    const close = async () => {
      for (let next = closing.pop(); next; next = closing.pop()) await next()
    }
    try {
      const development = await office.start('development')
      const person = await signUp(office.url).finally(() => development.stop())
      const production = await office.start('production')
      closing.push(() => production.stop())
      const port = await freePort()
      const bare = await startServer({
        script: BASELINE,
        args: [String(port)],
        environment: {},
        port,
        readyPath: '/',
      })
      closing.push(() => bare.stop())
      for (const { pid } of [production, bare]) pinMeasured(pid)
      const unpin = pinLoad()
      closing.push(async () => unpin())

      const ours = await subscribed(office.url, person)
      closing.push(async () => ours.close())
      const theirs = await listen(`ws://127.0.0.1:${port}/`)
      closing.push(async () => theirs.close())
      const subject = (changes: number) => run(ours, office.url, person.cookie, changes)
      const baseline = (changes: number) => run(theirs, `http://127.0.0.1:${port}`, '', changes)
      for (const side of [subject, baseline]) await side(WARM_UP_CHANGES)
      return { subject: () => subject(CHANGES), baseline: () => baseline(CHANGES), close }
    } catch (error) {
      await close()
      throw error
    }
  },
}

/** One change after the other: how long until each has arrived. */
async function run(listener: Listener, url: string, cookie: string, changes: number): Promise<Sample> {
  const times: number[] = []
  for (let number = 0; number < changes; number += 1) {
    const status = number % 2 ? 'busy' : 'away'
    const arrives = listener.next(`"${status}"`)
    const began = performance.now()
    const [answer] = await Promise.all([
      fetch(`${url}/presence/status`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie },
        body: JSON.stringify({ status }),
      }),
      arrives.then(() => times.push(performance.now() - began)),
    ])
    assert.equal(answer.status, 200)
    await answer.text()
  }
  const sorted = ascending(times)
  return { value: quantile(sorted, 0.5), details: { 'p99 ms': quantile(sorted, 0.99) } }
}

/** A client of the broker's protocol, as small as it gets, subscribed to the person's visible status. */
async function subscribed(url: string, { cookie }: FirstPerson): Promise<Listener> {
  const answer = await fetch(`${url}/websocket/token`, { method: 'POST', headers: { cookie } })
  const { token, url: address } = (await answer.json()) as { token: string; url: string }
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as {
    channels: string[]
  }
  const channel = String(claims.channels[0]).replace(/^user:/, 'status:')
  const commands = [
    { id: 1, connect: { token } },
    { id: 2, subscribe: { channel } },
  ]
  return await listen(address, commands.map((command) => JSON.stringify(command)).join('\n'), '"id":2')
}

async function listen(address: string, greeting = '', readyText = ''): Promise<Listener> {
  const socket = new WebSocket(address)
  let waiting: { text: string; resolve: () => void } | undefined
  const next = (text: string) =>
    new Promise<void>((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`${text} did not arrive`)), ARRIVES_WITHIN_MS)
      waiting = {
        text,
        resolve() {
          clearTimeout(late)
          resolve()
        },
      }
    })
  socket.addEventListener('message', ({ data }) => {
    const text = String(data)
    if (text === '{}') socket.send('{}')
    else if (waiting && text.includes(waiting.text)) waiting.resolve()
  })
  const ready = readyText && next(readyText)
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve())
    socket.addEventListener('error', () => reject(new Error(`${address} cannot be reached`)))
  })
  if (greeting) socket.send(greeting)
  await ready
  return { next, close: () => socket.close() }
}
