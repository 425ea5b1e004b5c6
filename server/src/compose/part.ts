import type { NodeMetric } from '@atrium/contract'
import type { Config } from '../configuration/config.ts'
import type { Eraser } from '../directory/erasure.ts'
import type { Job } from '../platform/background/jobs.ts'
import type { WorkQueue } from '../platform/background/work-queue.ts'
import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/database/database.ts'
import type { MachineRoutes } from '../platform/http/machine-routes.ts'
import type { Server } from '../platform/http/server.ts'
import type { Log } from '../platform/log.ts'
import type { Measure } from '../platform/metrics/node-page.ts'
import type { HandlerNeeds } from './handlers.ts'

/** What the office is built from: given by `serve.ts`, or by a test. */
export interface OfficeContext {
  config: Config
  log: Log
  clock: Clock
  /** Puts the clock right by the database: where it is that of a machine. */
  compareClock?: (db: Db) => Promise<void>
  /** Of a database with a schema that is up to date. */
  connectionString: string
  /** The first run of each job is one period after the start: for tests, which say themselves when something is due. */
  firstJobsWait?: boolean
  /** For those who work on the web office: served from its sources, each change at once in the browser. */
  hotUpdates?: boolean
}

/** What every part is opened with. */
export interface Opening extends OfficeContext {
  /**
   * What has to be closed is registered here in the moment it is created, and never later: it is closed in reverse
   * order when the office closes, and when the rest of this part or a later part fails to open.
   */
  stack: AsyncDisposableStack
}

/**
 * One part of the office. Opening a part creates what it needs and registers it on `Opening.stack`; it begins no work
 * in the background. It may use every part that was opened before it.
 */
export interface Part {
  /** What handlers need of it. */
  needs: Partial<HandlerNeeds>
  jobs?: readonly Job[]
  queues?: readonly WorkQueue[]
  /** What takes away what this part keeps of a person. */
  erasers?: readonly Eraser[]
  /** Adds its routes that are no operations. */
  routes?(server: Server, office: RouteContext): void | Promise<void>
  /** Those that only other programs call. */
  machineRoutes?: readonly MachineRoutes[]
  /** What the metrics of this node say of it. Read once a second: without waiting for anything. */
  measures?(): readonly NodeMeasure[]
  /** By channel: called with the payload of each of PostgreSQL's notifications. */
  listeners?: Readonly<Record<string, (payload: string) => void>>
  /** Called when notifications may have been missed. */
  onNotificationGap?(): void
  /**
   * Begins what runs in the background, but for jobs: when all routes are built, before the office listens. What is
   * started is registered on the stack here too, so that it ends before anything that was opened.
   */
  start?(stack: AsyncDisposableStack): void
}

export interface NodeMeasure extends Measure {
  metric: NodeMetric
}

/** What the routes of a part are given. */
export interface RouteContext {
  /** Of all parts. */
  needs: HandlerNeeds
  /** True from the moment the process has been told to stop. */
  isDraining: () => boolean
}
