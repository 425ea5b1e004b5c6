import { randomUUID } from 'node:crypto'
import { type Clock, secondsAfter } from '../clock.ts'
import type { Db } from '../database/database.ts'
import { type OrganizationId, trusted } from '../ids.ts'
import { type Log, withContext } from '../log.ts'
import { pause, settledWithin } from '../timing/pause.ts'
import { traced } from '../trace.ts'
import { type Lanes, openLanes } from './lanes.ts'
import { keepLease, LEASE_SECONDS } from './lease.ts'
import type { Notifications } from './notifications.ts'
import { describeBriefly, isHopeless } from './work-failure.ts'
import { type ClaimedItem, claimNext, ENQUEUED_CHANNEL, finish, release, type Turn } from './work-items.ts'

/** What is done in the background with items of `work_items`, each at least once. `workQueue` makes one that knows what they carry. */
export interface WorkQueue {
  /** Kebab-case, unique, and never changed: it stands in the table. */
  name: string
  /**
   * How many items of each class a node does at a time. No class takes a lane of another: however many items one has,
   * and however slow they are, the next item of another class finds its own lanes.
   */
  lanes: Readonly<Record<string, number>>
  retry: Retry
  /** Its errors may repeat what is sealed or personal: of them only name and code are logged. */
  confidential?: boolean
  /**
   * Does one item. It may be done again: the process may die before it is noted down as done.
   * @returns when to do it again, which is no failure; nothing: it is done
   * @throws what keeps it from being done now: it is tried again; UnusablePayload: it is given up
   */
  handle(work: Work): Promise<Again | undefined | void>
}

export interface Retry {
  /** The pause after the first failure; it doubles with every further one. */
  firstSeconds: number
  /** The longest pause. */
  lastSeconds: number
  /** After so many failures it is given up, and stays for an operator; without it never. */
  maxAttempts?: number
}

export interface Again {
  againAt: Date
}

/** One item, as its handler sees it. */
export interface Work<Payload = unknown> {
  id: string
  organization: OrganizationId | undefined
  payload: Payload
  createdAt: Date
  expiresAt: Date | undefined
  /** This one included. */
  attempts: number
  /** Aborted when another worker may have taken it up, or when the process cannot wait any longer. */
  signal: AbortSignal
  /** Every line names the item. */
  log: Log
}

export interface WorkerOptions {
  db: Db
  clock: Clock
  log: Log
  /** For tests: from 0 to 1. */
  random?: () => number
}

/** Does the items of one queue on this node. */
export interface Worker {
  /**
   * Does what is due now, of one class or of all: resolves when nothing due is left and nothing is under way.
   * @throws what the database throws; never because of an item
   */
  drain(ofClass?: string): Promise<void>
  /** Begins no further item and waits for those under way, up to 10 s; those that are left are given back. */
  stop(): Promise<void>
}

const STOP_WITHIN_MS = 10_000
/** How long an item may wait where its notification was lost. */
const LOOK_EVERY_MS = 2_000
/** By so much of itself at most, a pause is cut short: what failed together is not tried again together. */
const JITTER = 0.2

/** A worker that works when it is told to. */
export function makeWorker(queue: WorkQueue, options: WorkerOptions): Worker {
  const stopping = new AbortController()
  const holding = new Map<ClaimedItem, AbortController>()
  const classes = new Map(
    Object.entries(queue.lanes).map(([name, count]) => [name, lanesOf(name, count)] as const),
  )

  function lanesOf(name: string, count: number): Lanes {
    const turn: Turn = { queue: queue.name, class: name, lastServed: '0' }
    const take = async () => {
      if (stopping.signal.aborted) return undefined
      const now = options.clock.now()
      const until = secondsAfter(now, LEASE_SECONDS)
      const item = await claimNext(options.db, turn, { lease: randomUUID(), now, until })
      if (item) turn.lastServed = item.organizationId
      return item
    }
    const work = async (item: ClaimedItem) => {
      const interrupted = new AbortController()
      holding.set(item, interrupted)
      try {
        const step = { name: `work ${queue.name}`, kind: 'consumer' } as const
        const done = () => doItem(queue, options, item, interrupted)
        // what was enqueued without a trace begins none: there is much of it
        await (item.traceparent ? traced(step, done, item.traceparent) : done())
      } finally {
        holding.delete(item)
      }
    }
    return openLanes(count, take, work)
  }
  const drain = async (ofClass?: string) => {
    const chosen = [...classes].filter(([name]) => ofClass === undefined || name === ofClass)
    await allOf(chosen.map(([, lanes]) => lanes.drain()))
  }
  const stop = async () => {
    stopping.abort()
    await settledWithin(
      STOP_WITHIN_MS,
      Promise.allSettled([...classes.values()].map((lanes) => lanes.idle())),
    )
    await giveBack(options, holding)
  }
  return { drain, stop }
}

/** What could not be done in time: another node may do it. */
async function giveBack(
  { db, clock }: WorkerOptions,
  holding: ReadonlyMap<ClaimedItem, AbortController>,
): Promise<void> {
  await allOf(
    [...holding].map(async ([item, interrupted]) => {
      interrupted.abort(new Error('shutting down'))
      await release(db, item, { runAt: clock.now(), attempts: item.attempts - 1 })
    }),
  )
}

/** A worker that works when something is enqueued on any node, and looks every 2 s. */
export function startWorker(
  queue: WorkQueue,
  options: WorkerOptions & {
    notifications: Pick<Notifications, 'on'>
    /** Where many queues rest: whether it is worth a look by itself, asked for all of them at once. */
    isDue?: (queue: string, ofClass: string) => Promise<boolean>
    everyMs?: number
  },
): Worker {
  const worker = makeWorker(queue, options)
  const stopping = new AbortController()
  const look = async (ofClass: string, isWanted = async () => true) => {
    if (stopping.signal.aborted) return
    try {
      if (await isWanted()) await worker.drain(ofClass)
    } catch (err) {
      options.log.warn({ err, queue: queue.name }, 'a work queue cannot be read')
    }
  }
  const { isDue } = options
  const repeat = async (ofClass: string) => {
    while (!stopping.signal.aborted) {
      // not waited for: what is under way may take long, and is no reason not to look
      void look(ofClass, isDue && (() => isDue(queue.name, ofClass)))
      await pause(options.everyMs ?? LOOK_EVERY_MS, stopping.signal)
    }
  }
  options.notifications.on(ENQUEUED_CHANNEL, (name) => {
    if (name === queue.name) for (const ofClass of Object.keys(queue.lanes)) void look(ofClass)
  })
  for (const ofClass of Object.keys(queue.lanes)) void repeat(ofClass)
  return {
    drain: worker.drain,
    async stop() {
      stopping.abort()
      await worker.stop()
    },
  }
}

async function doItem(
  queue: WorkQueue,
  { db, clock, log, random = Math.random }: WorkerOptions,
  item: ClaimedItem,
  interrupted: AbortController,
): Promise<void> {
  const lines = withContext(log, { queue: queue.name, work: item.id, attempts: item.attempts })
  if (item.expiresAt && item.expiresAt <= clock.now()) {
    lines.warn('work dropped: not done before it expired')
    return finish(db, item, clock.now())
  }
  const lease = keepLease({ db, clock, log: lines }, item, interrupted)
  try {
    const again = await queue.handle(workOf(item, interrupted.signal, lines))
    if (interrupted.signal.aborted) return
    if (again) return await release(db, item, { runAt: again.againAt, attempts: 0 })
  } catch (error) {
    if (interrupted.signal.aborted) return
    const brief = describeBriefly(error)
    const about = queue.confidential ? { failure: brief } : { err: error }
    const isDead = isHopeless(error) || item.attempts >= (queue.retry.maxAttempts ?? Number.POSITIVE_INFINITY)
    lines[isDead ? 'error' : 'warn'](about, isDead ? 'work given up' : 'work failed, to be tried again')
    const now = clock.now()
    const runAt = secondsAfter(now, pauseSeconds(queue.retry, item.attempts, random))
    return await release(db, item, { runAt, lastError: brief, ...(isDead && { deadAt: now }) })
  } finally {
    lease.end()
  }
  lines.debug('work done')
  await finish(db, item, clock.now())
}

function workOf(item: ClaimedItem, signal: AbortSignal, log: Log): Work {
  const { id, organizationId, payload, createdAt, expiresAt, attempts } = item
  const organization = organizationId === '0' ? undefined : trusted.organizationId(organizationId)
  return { id, organization, payload, createdAt, expiresAt: expiresAt ?? undefined, attempts, signal, log }
}

/** Seconds until the next try after so many failures. @param random from 0 to 1 */
export function pauseSeconds(
  { firstSeconds, lastSeconds }: Retry,
  attempts: number,
  random: () => number = Math.random,
): number {
  const full = Math.min(firstSeconds * 2 ** (attempts - 1), lastSeconds)
  return full * (1 - JITTER * random())
}

/** Seconds until the next look at what waits since a moment: soon at first, then less and less often. */
export function pauseByAge({ firstSeconds, lastSeconds }: Retry, since: Date, now: Date): number {
  const age = (now.getTime() - since.getTime()) / 1_000
  return Math.min(Math.max(age, firstSeconds), lastSeconds)
}

/** A failure waits for the others: none is left running behind our back. */
async function allOf(work: readonly Promise<void>[]): Promise<void> {
  const outcomes = await Promise.allSettled(work)
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed) throw failed.reason
}
