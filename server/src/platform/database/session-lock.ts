import type pg from 'pg'
import type { Log } from '../log.ts'
import { type DedicatedConnection, keepConnection } from './dedicated-connection.ts'

export interface SessionLockOptions {
  /** See `keepConnection`: no pooler in transaction mode. */
  connectionString: string
  /** Shown by PostgreSQL as the name of the application. */
  name: string
  /** The second number of the lock; the first says that it is one of ours. */
  number: number
  log: Pick<Log, 'info' | 'warn'>
  /** Asked before the lock is; default: always. */
  isWanted?(): boolean
  /**
   * Called each time the lock is won; `lost` is aborted when it is lost again, for any reason. `isSure` says so even in
   * a process that has just been woken: before anything could tell it that its session is over.
   */
  onWon(lost: AbortSignal, isSure: () => boolean): void
  /** Called each time it was asked for and another session has it. */
  onTaken?(): void
}

/** One session, and what it has of the lock. */
interface Holding {
  lost: AbortSignal
  isHeld: boolean
  /** In the time of `performance.now()`: until then its server does not end the session for its silence. */
  sureUntil: number
}

/** "atri" as a number: the advisory locks of Atrium. */
const LOCK_CLASS = 1_635_021_417
/** How often the lock is asked for, and how often its holder shows that it is alive. */
const PROBE_EVERY_MS = 1_000
const ANSWER_WITHIN_MS = 2_000
/**
 * A holder that falls silent (frozen, or its network is gone) loses its session, and so the lock, after this.
 * More than the two above together: it has given up by itself before another takes over.
 */
const SILENT_HOLDER_MS = 4_000

/**
 * Asks for a lock that one node on the database has at a time, until it is ours. When its holder stops, dies or is
 * cut off, another gets it within about 5 s. Closing gives it away.
 */
export function keepSessionLock(options: SessionLockOptions): DedicatedConnection {
  const { connectionString, name, log } = options
  let current: Holding = { lost: AbortSignal.abort(), isHeld: false, sureUntil: 0 }
  const probe = async (client: pg.Client) => {
    const holding = current
    // the server has let the session be for so long after it was asked, which was later than this
    const sureUntil = performance.now() + SILENT_HOLDER_MS
    if (holding.isHeld || options.isWanted?.() === false) {
      await client.query('select 1')
      holding.sureUntil = sureUntil
      return
    }
    const { rows } = await client.query<{ won: boolean }>('select pg_try_advisory_lock($1, $2) as won', [
      LOCK_CLASS,
      options.number,
    ])
    if (holding.lost.aborted) return
    if (!rows[0]?.won) return options.onTaken?.()
    holding.isHeld = true
    holding.sureUntil = sureUntil
    options.onWon(holding.lost, () => !holding.lost.aborted && performance.now() < holding.sureUntil)
  }
  const onOpen = async (client: pg.Client, lost: AbortSignal) => {
    current = { lost, isHeld: false, sureUntil: 0 }
    await client.query(`set idle_session_timeout = ${SILENT_HOLDER_MS}`)
    await probe(client)
  }
  return keepConnection({
    connectionString,
    name,
    log,
    onOpen,
    probe,
    probeEveryMs: PROBE_EVERY_MS,
    answerWithinMs: ANSWER_WITHIN_MS,
  })
}
