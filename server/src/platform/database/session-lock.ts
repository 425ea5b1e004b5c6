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
  /** Called each time the lock is won; `lost` is aborted when it is lost again, for whatever reason. */
  onWon(lost: AbortSignal): void
  /** Called each time it was asked for and somebody else has it. */
  onTaken?(): void
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
  let current: { lost: AbortSignal; isHeld: boolean } = { lost: AbortSignal.abort(), isHeld: false }
  const probe = async (client: pg.Client) => {
    if (current.isHeld || options.isWanted?.() === false) return client.query('select 1')
    const holding = current
    const { rows } = await client.query<{ won: boolean }>('select pg_try_advisory_lock($1, $2) as won', [
      LOCK_CLASS,
      options.number,
    ])
    if (holding.lost.aborted) return
    if (!rows[0]?.won) return options.onTaken?.()
    holding.isHeld = true
    options.onWon(holding.lost)
  }
  const onOpen = async (client: pg.Client, lost: AbortSignal) => {
    current = { lost, isHeld: false }
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
