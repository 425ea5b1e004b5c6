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
  /** What differs from connection to connection, in turn: each is somebody else. Of `applyBareLoad`. */
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
  const { seconds, pid: _pid, next, clients: _clients, ...same } = load
  const request = next
    ? { ...same, requests: [{ setupRequest: (given: object) => ({ ...given, ...next() }) }] }
    : same
  return await measured(load, async (took) => {
    const result = await new Promise<autocannon.Result>((resolve, reject) => {
      const run = autocannon({ ...request, duration: seconds }, (error, done) =>
        error ? reject(error) : resolve(done),
      )
      // its own histogram counts whole milliseconds
      run.on('response', (_client, _status, _bytes, milliseconds) => took(milliseconds))
    })
    const { errors, timeouts, non2xx } = result
    if (errors + timeouts + non2xx > 0) {
      throw new Error(`${load.url}: ${errors} errors, ${timeouts} timeouts, ${non2xx} answers other than 2xx`)
    }
  })
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
