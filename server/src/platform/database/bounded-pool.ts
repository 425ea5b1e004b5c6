import pg from 'pg'
import { requireLeadership } from '../leadership.ts'
import { pause, settledWithin } from '../timing/pause.ts'
import { DISK_FULL, isDatabaseAway } from './database-errors.ts'
import { hangUp, onServerFault } from './pg-internals.ts'
import { beginWait, outOfTime } from './waiting-budget.ts'

/** How long a polite goodbye to all connections may take. */
const GOODBYE_MS = 2_000
/** Between two attempts to connect, of all callers together. */
const TRY_AGAIN_MS = 100

/** A pool with callers that wait no longer than their request may. It ends even where the server is silent. */
export class BoundedPool extends pg.Pool {
  readonly #clients = new Set<pg.PoolClient>()
  readonly #awaitsServer: boolean
  #attempt: Promise<boolean> | undefined

  /**
   * @param awaitsServer whether a request waits, within its time, where no connection can be made: nothing of it has
   * been sent yet, and a switch-over to another server takes seconds
   */
  constructor({ awaitsServer = false, ...options }: pg.PoolConfig & { awaitsServer?: boolean }) {
    super(options)
    this.#awaitsServer = awaitsServer
    this.on('connect', (client) => this.#clients.add(client))
    this.on('remove', (client) => this.#clients.delete(client))
  }

  // biome-ignore lint/suspicious/noExplicitAny: the overloads of pg's own method
  override connect(callback?: any): any {
    try {
      requireLeadership()
    } catch (error) {
      if (!callback) return Promise.reject(error)
      return callback(error, undefined, () => {})
    }
    const wait = beginWait()
    const atOnce = this.idleCount > this.waitingCount
    if (!wait || (atOnce && wait.leftMs > 0)) {
      wait?.end()
      return super.connect(callback)
    }
    const acquired = this.#acquireWithin(wait.leftMs).finally(() => wait.end())
    if (!callback) return acquired
    acquired.then(
      (client) => callback(undefined, client, client.release),
      (error) => callback(error, undefined, () => {}),
    )
  }

  async #acquireWithin(milliseconds: number): Promise<pg.PoolClient> {
    if (milliseconds === 0) throw outOfTime()
    const waiting = new AbortController()
    const client = this.#connectAgain(waiting.signal)
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => {
      waiting.abort()
      client.then((unwanted) => unwanted.release()).catch(() => {})
      late.reject(outOfTime())
    }, milliseconds)
    try {
      return await Promise.race([client, late.promise])
    } finally {
      clearTimeout(timer)
    }
  }

  async #connectAgain(waiting: AbortSignal): Promise<pg.PoolClient> {
    for (;;)
      try {
        return await super.connect()
      } catch (error) {
        if (!this.#awaitsServer || !isDatabaseAway(error)) throw error
        while (!(await this.#tryForAll())) if (waiting.aborted || this.ending) throw error
      }
  }

  /** One attempt for all who wait: a server that is away is not asked by each of them. @returns whether to go on */
  #tryForAll(): Promise<boolean> {
    this.#attempt ??= this.#tryOnce().finally(() => {
      this.#attempt = undefined
    })
    return this.#attempt
  }

  async #tryOnce(): Promise<boolean> {
    await pause(TRY_AGAIN_MS)
    try {
      const client = await super.connect()
      client.release()
      return true
    } catch (error) {
      // what will not pass by waiting is told to each of them
      return !isDatabaseAway(error)
    }
  }

  override async end(): Promise<void> {
    try {
      await settledWithin(GOODBYE_MS, super.end())
    } finally {
      for (const client of this.#clients) hangUp(client)
    }
  }
}

const foundFull = new WeakSet<pg.Pool>()

/**
 * Notes when the server says, of any statement, that its disk is full: what replaces a row in its own page is still
 * taken then, and a probe that does no more hears of nothing.
 */
export function noteFullDisk(pool: pg.Pool): void {
  pool.on('connect', (client) =>
    onServerFault(client, (code) => {
      if (code === DISK_FULL) foundFull.add(pool)
    }),
  )
}

/** Whether the disk was full, and no probe has found room since. */
export function diskWasFull(pool: pg.Pool): boolean {
  return foundFull.has(pool)
}

/** There is room again. */
export function diskHasRoom(pool: pg.Pool): void {
  foundFull.delete(pool)
}
