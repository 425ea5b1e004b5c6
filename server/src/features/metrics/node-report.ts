import type { Unreached } from '../../platform/outside/unreached.ts'
import type { LoadReports } from './request-load.ts'

/** What a node tells its operator of itself: ids, names of hosts and numbers, nothing of what people entered. */
export interface NodeReport {
  load: LoadReports
  queues: readonly QueueReport[]
  outbox: { pending: number; oldestSeconds: number }
  /** Requests that wait for a connection to the database. */
  waitingForDatabase: number
  /** Proxies that speak for others and are not in TRUST_PROXY. */
  untrustedProxies: readonly string[]
  unreached: readonly Unreached[]
}

export interface QueueReport {
  queue: string
  class: string
  waiting: number
  oldestDueSeconds: number
  dead: number
}

export const NODE_REPORT_PATH = '/metrics/node'
