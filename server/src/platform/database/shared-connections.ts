import type pg from 'pg'
import { type DatabaseOptions, openPool } from './database.ts'
import { isBroken, type PipelinedStatement, sendPipeline, type TextRows } from './pipeline.ts'
import { withoutWaitingBudget } from './waiting-budget.ts'

/** More would serve nobody: one connection answers more short statements than one process can ask. */
const CONNECTIONS = 3
/** Who comes later does not wait behind so many. */
const USERS_MAX = 8

/**
 * A few connections for many short statements: each is sent at once, behind those that are under way, and the server
 * goes from one to the next without being woken. For statements that wait for nobody (no locks) and do not take long,
 * since whoever comes behind waits for them.
 */
export interface SharedConnections {
  /**
   * As `runPipeline`: in a transaction of its own.
   * @returns undefined where all connections have enough to do: another pool has free ones
   */
  run(statements: readonly PipelinedStatement[]): Promise<TextRows[]> | undefined
  end(): Promise<void>
}

/** A connection as long as somebody uses it; between times the pool keeps it. */
interface Session {
  client: Promise<pg.PoolClient>
  users: number
}

/** Connections are made when first needed. */
export function openSharedConnections(
  options: Omit<DatabaseOptions, 'maxConnections' | 'shared'>,
): SharedConnections {
  const pool = openPool({ ...options, maxConnections: CONNECTIONS, shared: true })
  const sessions = new Set<Session>()

  const join = (): Session | undefined => {
    let quietest: Session | undefined
    for (const session of sessions) if (!quietest || session.users < quietest.users) quietest = session
    if (quietest && sessions.size === CONNECTIONS) return quietest.users < USERS_MAX ? quietest : undefined
    // whoever begins it waits for it with those who join: none of them may give it up for all
    const session = { client: withoutWaitingBudget(() => pool.connect()), users: 0 }
    sessions.add(session)
    return session
  }

  const leave = (session: Session, client?: pg.PoolClient, broken?: Error) => {
    session.users -= 1
    const last = session.users === 0
    if ((broken || last) && sessions.delete(session)) client?.release(broken)
  }

  const runOn = async (session: Session, statements: readonly PipelinedStatement[]) => {
    let client: pg.PoolClient | undefined
    let broken: Error | undefined
    try {
      client = await session.client
      return await sendPipeline(client, statements)
    } catch (error) {
      if (!client || isBroken(error)) broken = error as Error
      throw error
    } finally {
      leave(session, client, broken)
    }
  }

  return {
    run(statements) {
      const session = join()
      if (!session) return undefined
      session.users += 1
      return runOn(session, statements)
    },
    end: () => pool.end(),
  }
}
