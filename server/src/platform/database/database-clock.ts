import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import type { Db } from './database.ts'
import { serverTime } from './server-facts.ts'

export interface DatabaseClock extends Clock {
  /** Asks the database for the time. Changes nothing where it does not answer, or too slowly to be compared. */
  compare(db: Db): Promise<void>
}

/** Less is what networks and busy machines make of it: the clock goes on undisturbed. Locks and removals judge by more. */
const NOISE_MS = 250
/** An answer that took longer says too little about now. */
const ANSWER_WITHIN_MS = 2_000
/** Of the difference, to be told again. */
const TOLD_AGAIN_MS = 5_000

/**
 * The clock of this machine, put right where it is away from that of the database: what one node signs or lets expire,
 * others judge, and all of them share the database. It never stands in for NTP: `atrium doctor` still names such a machine.
 */
export function clockOfDatabase(own: Clock, log: Pick<Log, 'warn'>): DatabaseClock {
  let offsetMs = 0
  let toldMs = 0
  const keep = (awayMs: number, unsureMs: number) => {
    if (Math.abs(awayMs - offsetMs) <= unsureMs + NOISE_MS) return
    offsetMs = awayMs
    if (Math.abs(offsetMs - toldMs) < TOLD_AGAIN_MS) return
    toldMs = offsetMs
    const seconds = Math.round(offsetMs / 1_000)
    log.warn({ seconds }, 'the clock of this machine is away from that of the database, which counts')
  }
  return {
    now: () => new Date(own.now().getTime() + offsetMs),
    async compare(db) {
      try {
        // once before, so that the connection is there
        await serverTime(db)
        const before = own.now().getTime()
        const theirs = (await serverTime(db)).getTime()
        const after = own.now().getTime()
        const tookMs = after - before
        if (tookMs <= ANSWER_WITHIN_MS) keep(theirs - (before + after) / 2, tookMs / 2)
      } catch (err) {
        log.warn({ err }, 'the database did not say what time it is')
      }
    },
  }
}
