import assert from 'node:assert/strict'
import { freePort } from '@atrium/embedded-postgres/free-port.ts'
import type { Contest, Sample } from './benchmark.ts'
import { type FirstPerson, signUp } from './first-person.ts'
import { applyLoad, type Load } from './load.ts'
import { type BenchOffice, prepareOffice } from './office.ts'
import { pinLoad, pinMeasured } from './pinning.ts'
import { type ServerProcess, startServer } from './server-process.ts'

/** Until the compiler has come to an end: for twice as long a request takes twice the time that it takes afterwards. */
const WARM_UP_SECONDS = 10

/** How to end what has been opened: the last opened is ended first. */
export type Ends = (() => Promise<unknown>)[]

/** Opens what a contest needs. Where that fails halfway, what is open already is ended. */
export async function openContest(open: (ends: Ends) => Promise<Omit<Contest, 'close'>>): Promise<Contest> {
  const ends: Ends = []
  const close = async () => {
    for (let end = ends.pop(); end; end = ends.pop()) await end()
  }
  try {
    return { ...(await open(ends)), close }
  } catch (error) {
    await close()
    throw error
  }
}

export interface Production {
  office: BenchOffice
  running: ServerProcess
  person: FirstPerson
  /** The office's address, without a look-up of its name. */
  base: string
}

/** An office as production serves it, with one member who has signed up before. */
export async function openProduction(ends: Ends, settings: Record<string, string> = {}): Promise<Production> {
  const office = await prepareOffice(settings)
  ends.push(() => office.remove())
  const development = await office.start('development')
  const person = await signUp(office.url).finally(() => development.stop())
  const running = await office.start('production')
  ends.push(() => running.stop())
  return { office, running, person, base: office.url.replace('localhost', '127.0.0.1') }
}

/** The least that can do the same: a script that takes its port as its first argument. */
export async function openBare(
  ends: Ends,
  script: string,
  args: readonly string[] = [],
): Promise<ServerProcess & { base: string }> {
  const port = await freePort()
  const start = { script, args: [String(port), ...args], environment: {}, port, readyPath: '/' }
  const bare = await startServer(start)
  ends.push(() => bare.stop())
  return { ...bare, base: `http://127.0.0.1:${port}` }
}

/** Whatever is measured on one core, what asks it on the other, until the end. */
export function pinSides(ends: Ends, ...measured: { pid: number }[]): void {
  for (const { pid } of measured) pinMeasured(pid)
  const unpin = pinLoad()
  ends.push(async () => unpin())
}

type Side = (seconds: number) => Promise<Sample>

/** Both sides under load for as long, after each has warmed up. */
export async function underLoad(
  seconds: number,
  sides: { subject: Side; baseline: Side },
): Promise<Omit<Contest, 'close'>> {
  for (const side of [sides.subject, sides.baseline]) await side(WARM_UP_SECONDS)
  return { subject: () => sides.subject(seconds), baseline: () => sides.baseline(seconds) }
}

interface BesideBare {
  production: Production
  bare: ServerProcess & { base: string }
  path: string
  request: Pick<Load, 'method' | 'headers' | 'body'>
  connections: number
  seconds: number
}

/** The same requests to the office and to a bare server. Checks first that both answer the same bytes. */
export async function besideBare(ends: Ends, contest: BesideBare): Promise<Omit<Contest, 'close'>> {
  const { production, bare, path, request, connections, seconds } = contest
  pinSides(ends, production.running, bare)
  const urls = [`${production.base}${path}`, `${bare.base}${path}`] as const
  const [ours, theirs] = await Promise.all(urls.map((url) => answer(url, request)))
  assert.equal(ours, theirs, 'both sides answer the same bytes')
  const side =
    (url: string, { pid }: ServerProcess): Side =>
    (duration) =>
      applyLoad({ ...request, url, pid, connections, seconds: duration })
  return await underLoad(seconds, {
    subject: side(urls[0], production.running),
    baseline: side(urls[1], bare),
  })
}

async function answer(url: string, request: RequestInit): Promise<string> {
  const response = await fetch(url, request)
  assert.equal(response.status, 200, `${url} answers 200`)
  return await response.text()
}
