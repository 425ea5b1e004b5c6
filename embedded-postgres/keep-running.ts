import { setTimeout as pause } from 'node:timers/promises'
import { type Log, messageOf } from './failure.ts'
import type { Placement } from './placement.ts'
import { lastLines } from './server-log.ts'
import { endServer, logOf, type ServerProcess } from './server-process.ts'

/**
 * The pause before a restart doubles with each one of the last minute: a server that cannot live must not keep the machine
 * busy. No longer than this: what kept it from starting may be gone by now, as a full disk is.
 */
const LONGEST_PAUSE_MS = 3_200
const FIRST_PAUSE_MS = 100
const MINUTE_MS = 60_000

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
    while (!stopping.signal.aborted) {
      await pause(nextPause(restarts), undefined, { ref: false, signal: stopping.signal }).catch(() => {})
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

/** Milliseconds until the next restart may be tried. */
function nextPause(restarts: number[]): number {
  const now = Date.now()
  while (restarts.length > 0 && now - (restarts[0] ?? 0) > MINUTE_MS) restarts.shift()
  return Math.min(FIRST_PAUSE_MS * 2 ** restarts.length, LONGEST_PAUSE_MS)
}
