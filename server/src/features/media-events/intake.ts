import { type Clock, secondsAfter } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { isDatabaseAway } from '../../platform/database/database-errors.ts'
import type { Log } from '../../platform/log.ts'
import { pause } from '../../platform/timing/pause.ts'
import { currentTraceparent } from '../../platform/trace.ts'
import type { MediaEvent } from '../../ports/media-events.ts'
import { type Received, storeEvents } from './inbox.ts'

export interface IntakeNeeds {
  db: Db
  clock: Clock
  log: Pick<Log, 'warn' | 'error'>
  duplicateWindowSeconds: number
  onDuplicates(count: number): void
  onDropped(count: number): void
}

/** Where events wait in memory until they are written down. */
export interface Intake {
  /** Never waits, and never fails: what finds the queue full is dropped, counted and logged. */
  take(event: MediaEvent): void
  depth(): number
  /** Writes down what still waits, as far as the database lets it. */
  close(): Promise<void>
}

const CAPACITY = 1_000
const BATCH = 250
const RETRY_MS = { first: 50, last: 2_000 }
const CLOSE_WITHIN_MS = 5_000
const TELL_DROPPED_EVERY_MS = 1_000

export function openIntake(needs: IntakeNeeds): Intake {
  const { clock, log } = needs
  /** Those of a batch stay until they are written down, and count as waiting until then. */
  const queue: Received[] = []
  const drops = dropReport(log)
  const closing = new AbortController()
  let writing: Promise<void> | undefined

  const write = async () => {
    let failures = 0
    while (queue.length > 0 && !(closing.signal.aborted && failures > 0)) {
      const batch = queue.slice(0, BATCH)
      try {
        await storeBatch(needs, batch)
        queue.splice(0, batch.length)
        failures = 0
      } catch (err) {
        failures += 1
        // once per outage
        if (failures === 1) log.error({ err, waiting: queue.length }, 'media events cannot be written down')
        await pause(Math.min(RETRY_MS.first * 2 ** failures, RETRY_MS.last), closing.signal)
      }
    }
    writing = undefined
  }
  return {
    take(event) {
      if (queue.length >= CAPACITY) {
        needs.onDropped(1)
        drops.add(event.kind)
        return
      }
      queue.push({ event, receivedAt: clock.now(), traceparent: currentTraceparent() })
      // what comes in while this batch is under way makes up the next one
      writing ??= new Promise<void>((resolve) => setImmediate(resolve)).then(write)
    },
    depth: () => queue.length,
    async close() {
      const late = setTimeout(() => closing.abort(), CLOSE_WITHIN_MS)
      await writing
      clearTimeout(late)
      if (queue.length > 0) log.error({ lost: queue.length }, 'media events were lost on closing')
      drops.close()
    },
  }
}

/** One event that the database refuses for what is in it must not hold up all others. */
async function storeBatch(needs: IntakeNeeds, batch: readonly Received[]): Promise<void> {
  const knownSince = secondsAfter(needs.clock.now(), -needs.duplicateWindowSeconds)
  try {
    const written = await storeEvents(needs.db, batch, knownSince)
    if (written < batch.length) needs.onDuplicates(batch.length - written)
  } catch (error) {
    if (isDatabaseAway(error) || !isAboutData(error)) throw error
    if (batch.length > 1) {
      for (const one of batch) await storeBatch(needs, [one])
      return
    }
    needs.onDropped(1)
    needs.log.error({ err: error, kind: batch[0]?.event.kind }, 'a media event is unusable and was dropped')
  }
}

/** SQLSTATE class 22: data exception. */
function isAboutData(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && code.startsWith('22')
}

/** A full queue drops hundreds of events in a second: they share a line of the log. */
function dropReport(log: Pick<Log, 'warn'>) {
  let dropped = 0
  let kinds = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  const tell = () => {
    timer = undefined
    if (dropped === 0) return
    log.warn({ dropped, kinds: [...kinds] }, 'the queue of media events is full: events were dropped')
    dropped = 0
    kinds = new Set()
  }
  return {
    add(kind: string) {
      dropped += 1
      kinds.add(kind)
      timer ??= setTimeout(tell, TELL_DROPPED_EVERY_MS)
    },
    close() {
      clearTimeout(timer)
      tell()
    },
  }
}
