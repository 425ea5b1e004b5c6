import assert from 'node:assert/strict'
import type { Contest, Sample } from './benchmark.ts'
import type { FirstPerson } from './first-person.ts'
import { ascending, quantile } from './statistics.ts'

const ARRIVES_WITHIN_MS = 10_000
const CHANGES = 200
const WARM_UP_CHANGES = 50

/** A listening client: what comes after `ready` is a publication, or a ping. */
export interface Listener {
  /** Resolves at the next publication that holds the text. */
  next(text: string): Promise<void>
  close(): void
}

/** Something that is asked again and again, and what the listener is to hear of it. */
export interface Asking {
  listener: Listener
  /** In what arrives. */
  text(number: number): string
  ask(number: number): Promise<Response>
  /** What makes room for the next one; not timed. */
  after?(number: number, answer: string): Promise<void>
}

/** How a status is changed, and who is to hear of it. */
interface Changing {
  listener: Listener
  change(status: string): Promise<Response>
}

/** Changes of a status, on both sides. */
export function timeBothSides(
  subject: Changing,
  baseline: Changing,
): Promise<Pick<Contest, 'subject' | 'baseline'>> {
  const status = (number: number) => (number % 2 ? 'busy' : 'away')
  const asking = ({ listener, change }: Changing): Asking => ({
    listener,
    text: (number) => `"${status(number)}"`,
    ask: (number) => change(status(number)),
  })
  return timeAsking(asking(subject), asking(baseline))
}

/** How long it takes from the asking until it has arrived, one after the other: median and p99. */
export async function timeAsking(
  subject: Asking,
  baseline: Asking,
): Promise<Pick<Contest, 'subject' | 'baseline'>> {
  for (const side of [subject, baseline]) await timeArrivals(side, WARM_UP_CHANGES)
  return { subject: () => timeArrivals(subject, CHANGES), baseline: () => timeArrivals(baseline, CHANGES) }
}

async function timeArrivals({ listener, text, ask, after }: Asking, count: number): Promise<Sample> {
  const times: number[] = []
  for (let number = 0; number < count; number += 1) {
    const arrives = listener.next(text(number))
    const began = performance.now()
    const [answer] = await Promise.all([
      ask(number),
      arrives.then(() => times.push(performance.now() - began)),
    ])
    assert(answer.ok, `${answer.url} answered ${answer.status}`)
    const said = await answer.text()
    await after?.(number, said)
  }
  const sorted = ascending(times)
  return { value: quantile(sorted, 0.5), details: { 'p99 ms': quantile(sorted, 0.99) } }
}

/** Asks an office to change a member's status. */
export function changeAt(url: string, cookie: string): (status: string) => Promise<Response> {
  return (status) =>
    fetch(`${url}/presence/status`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify({ status }),
    })
}

/** A client of the broker's protocol, as small as it gets, subscribed to the person's visible status. */
export async function subscribed(url: string, { cookie }: FirstPerson): Promise<Listener> {
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

/** @param greeting what it says first; `readyText` is in the answer */
export async function listen(address: string, greeting = '', readyText = ''): Promise<Listener> {
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
