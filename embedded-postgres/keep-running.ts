import { setTimeout as pause } from 'node:timers/promises'
import { type Log, messageOf } from './failure.ts'
import type { Placement } from './placement.ts'
import { lastLines } from './server-log.ts'
import { endServer, logOf, type ServerProcess } from './server-process.ts'

/** No more restarts than these in a minute: a server that cannot live must not keep the machine busy. */
const RESTARTS_PER_MINUTE = 5
const MINUTE_MS = 60_000
const FIRST_PAUSE_MS = 100

export interface Keeper {
  stop(): Promise<void>
}

/** Watches `first` and brings its successor up on the same port whenever it dies, until `stop()`. */
export function keepRunning(
  place: Placement,
  first: ServerProcess,
  bringUp: (port: number) => Promise<ServerProcess>,
  log: Log,
): Keeper {
  const stopping = new AbortController()
  let current = first
  let restarting: Promise<void> | undefined
  const restarts: number[] = []

  async function restart(): Promise<void> {
    for (let failures = 0; !stopping.signal.aborted; failures++) {
      await pause(nextPause(restarts, failures), undefined, { ref: false, signal: stopping.signal }).catch(
        () => {},
      )
      if (stopping.signal.aborted) return
      restarts.push(Date.now())
      try {
        current = await bringUp(first.port)
        log.info(`PostgreSQL runs again on 127.0.0.1:${current.port}`)
        return
      } catch (error) {
        log.warn(`PostgreSQL could not be restarted: ${messageOf(error)}`)
      }
    }
  }

  async function watch(): Promise<void> {
    while (!stopping.signal.aborted) {
      await current.ended
      if (stopping.signal.aborted) return
      log.warn(
        `PostgreSQL (process ${current.pid}) died, restarting it: ${await lastLines(logOf(place.home))}`,
      )
      restarting = restart()
      await restarting
    }
  }

  void watch()
  let stopped: Promise<void> | undefined
  async function stop(): Promise<void> {
    stopping.abort()
    await endServer(place, current, log)
    // A restart under way may have brought up another one meanwhile.
    await restarting
    await endServer(place, current, log)
  }
  return { stop: () => (stopped ??= stop()) }
}

/** Milliseconds until the next restart may be tried: longer after each failure, and within the limit per minute. */
function nextPause(restarts: number[], failures: number): number {
  const now = Date.now()
  while (restarts.length > 0 && now - (restarts[0] ?? 0) > MINUTE_MS) restarts.shift()
  const oldest = restarts[restarts.length - RESTARTS_PER_MINUTE]
  const growing = FIRST_PAUSE_MS * 2 ** Math.min(failures, 6)
  return oldest === undefined ? growing : Math.max(growing, oldest + MINUTE_MS - now)
}
