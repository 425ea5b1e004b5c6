import autocannon from 'autocannon'
import type { Sample } from './benchmark.ts'
import { processorTime } from './processor-time.ts'
import { ascending, quantile } from './statistics.ts'

export interface Load {
  /** Process that answers. */
  pid: number
  url: string
  method: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string
  /** What differs from request to request; in place of `headers` and `body`. */
  next?(): { headers: Record<string, string>; body: string }
  /** What different people ask: each connection is several of them, in turn. Of `applyBareLoad`. */
  clients?: readonly { headers: Record<string, string>; body: string }[]
  /** Requests under way at the same time. */
  connections: number
  seconds: number
}

/**
 * Asks as often as the server answers, over kept connections.
 * @throws Error where an answer was not 2xx, or did not come: numbers with refusals in them mean nothing
 */
export async function applyLoad(load: Load): Promise<Sample> {
  return await measured(load, (took) => askOften(load, took))
}

/** The load of `applyLoad`, with nothing measured but how long each request took. */
export async function askOften(load: Omit<Load, 'pid'>, took: (milliseconds: number) => void): Promise<void> {
  const { url, method, headers, body, connections, seconds, next } = load
  const same = { url, method, connections, ...(headers && { headers }), ...(body !== undefined && { body }) }
  const request = next
    ? { ...same, requests: [{ setupRequest: (given: object) => ({ ...given, ...next() }) }] }
    : same
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const run = autocannon({ ...request, duration: seconds }, (error, done) =>
      error ? reject(error) : resolve(done),
    )
    // its own histogram counts whole milliseconds
    run.on('response', (_client, _status, _bytes, milliseconds) => took(milliseconds))
  })
  const { errors, timeouts, non2xx } = result
  if (errors + timeouts + non2xx > 0) {
    throw new Error(`${url}: ${errors} errors, ${timeouts} timeouts, ${non2xx} answers other than 2xx`)
  }
}

/** What comes of a load: `ask` tells how long each request took, in milliseconds. */
export async function measured(
  { pid }: Pick<Load, 'pid'>,
  ask: (took: (milliseconds: number) => void) => Promise<void>,
): Promise<Sample> {
  const times: number[] = []
  const usedBefore = processorTime(pid)
  const begun = performance.now()
  await ask((milliseconds) => times.push(milliseconds))
  const seconds = (performance.now() - begun) / 1_000
  const usedAfter = processorTime(pid)
  const sorted = ascending(times)
  const details: Record<string, number> = {
    'p50 ms': quantile(sorted, 0.5),
    'p99 ms': quantile(sorted, 0.99),
  }
  if (usedBefore !== undefined && usedAfter !== undefined) {
    details['cpu µs'] = (usedAfter - usedBefore) / times.length
  }
  return { value: times.length / seconds, details }
}
