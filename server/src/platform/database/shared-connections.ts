import type pg from 'pg'
import { type SpanStart, traced } from '../trace.ts'
import { type DatabaseOptions, openPool } from './database.ts'
import { isBroken, type PipelinedStatement, sendPipeline, type TextRows } from './pipeline.ts'
import { currentBudget, withoutWaitingBudget } from './waiting-budget.ts'

/** For short statements one would do. Of three, one that has something longer to do leaves two. */
const CONNECTIONS = 3
/** On each of them: enough to keep all busy (`npm run bench chat-messages`); who came behind would only wait. */
const UNDER_WAY_MAX = 8
/** Of one person on all of them: where their pages are long, others have one before them, and not eight. */
const OF_ONE_PERSON_MAX = 3
/** Between attempts, where a connection could not be made: the server may have none left to give. */
const TRY_AGAIN_AFTER_MS = 1_000
/** What has not answered anybody for so long has something longer to do. */
const STALLED_AFTER_MS = 5

/**
 * A few connections for many short statements: each is sent at once, behind those that are under way, and the server
 * goes from one to the next without being woken. For statements that wait for nobody (no locks) and are soon done.
 */
export interface SharedConnections {
  /**
   * As `runPipeline`: in a transaction of its own.
   * @returns undefined where none of them is ready and would answer soon, or the person who asks has their part of
   *   them: a pool has connections for that
   */
  run(statements: readonly PipelinedStatement[]): Promise<TextRows[]> | undefined
  /** For those who count connections. */
  pool: Pick<pg.Pool, 'totalCount' | 'idleCount' | 'waitingCount' | 'options'>
  end(): Promise<void>
}

/** As long as somebody uses it; between times the pool keeps it. */
interface SharedConnection {
  client: Promise<pg.PoolClient>
  underWay: number
  /** When it last answered somebody, or was taken out of the pool. */
  answeredAt: number
}

/** `onIdleError` is told too where a connection cannot be made: nobody else would hear of it. */
interface SharedOptions extends Omit<DatabaseOptions, 'maxConnections' | 'shared'> {
  /** A connection that has answered nobody for so long is joined by nobody until it does. */
  stalledAfterMs?: number
}

const PIPELINE: SpanStart = {
  name: 'pipeline',
  kind: 'client',
  attributes: { 'db.system.name': 'postgresql' },
}

/** Connections are made when first needed, and nobody waits for that. */
export function openSharedConnections({
  stalledAfterMs = STALLED_AFTER_MS,
  ...options
}: SharedOptions): SharedConnections {
  const pool = openPool({ ...options, maxConnections: CONNECTIONS, shared: true })
  const inUse = new Set<SharedConnection>()
  const underWayOf = new Map<string, number>()

  // for whoever comes: a request that is out of time must not take it along
  const connect = () => withoutWaitingBudget(() => pool.connect())

  let triesFrom = 0
  /** For those who come later. */
  const makeAnother = (now: number) => {
    if (pool.totalCount >= CONNECTIONS || pool.waitingCount > 0 || now < triesFrom) return
    connect().then(
      (client) => client.release(),
      (error: Error) => {
        triesFrom = performance.now() + TRY_AGAIN_AFTER_MS
        options.onIdleError(error)
      },
    )
  }

  const join = (): SharedConnection | undefined => {
    const now = performance.now()
    if (pool.idleCount > pool.waitingCount) {
      const taken = { client: connect(), underWay: 0, answeredAt: now }
      inUse.add(taken)
      return taken
    }
    makeAnother(now)
    let quietest: SharedConnection | undefined
    for (const connection of inUse) {
      if (now - connection.answeredAt > stalledAfterMs) continue
      if (!quietest || connection.underWay < quietest.underWay) quietest = connection
    }
    return quietest && quietest.underWay < UNDER_WAY_MAX ? quietest : undefined
  }

  const runOn = async (connection: SharedConnection, statements: readonly PipelinedStatement[]) => {
    let client: pg.PoolClient | undefined
    let broken: Error | undefined
    connection.underWay += 1
    try {
      client = await connection.client
      const ready = client
      return await traced(PIPELINE, () => sendPipeline(ready, statements))
    } catch (error) {
      if (!client || isBroken(error)) broken = error as Error
      throw error
    } finally {
      connection.underWay -= 1
      connection.answeredAt = performance.now()
      // whoever else is on a broken one fails with it: the pool must not keep it
      const over = broken || connection.underWay === 0
      if (over && inUse.delete(connection)) client?.release(broken)
    }
  }

  return {
    run(statements) {
      const person = currentBudget()?.owner?.person
      if (person === undefined) {
        const connection = join()
        return connection && runOn(connection, statements)
      }
      const underWay = underWayOf.get(person) ?? 0
      const connection = underWay < OF_ONE_PERSON_MAX ? join() : undefined
      if (!connection) return undefined
      underWayOf.set(person, underWay + 1)
      return runOn(connection, statements).finally(() => {
        const left = (underWayOf.get(person) ?? 1) - 1
        if (left === 0) underWayOf.delete(person)
        else underWayOf.set(person, left)
      })
    },
    pool,
    end: () => pool.end(),
  }
}
