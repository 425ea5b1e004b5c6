import type { Job } from '../../platform/background/jobs.ts'
import { type Clock, secondsAfter } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { type KeyRing, needsReseal } from '../../platform/secrets/sealed-column.ts'
import { type ConnectionKey, listConnections, purgeCodes, resealTokens } from './store.ts'
import { openTokens, sealKept } from './tokens.ts'

const HOUR_MS = 60 * 60 * 1_000
const DAY_MS = 24 * HOUR_MS
const CODES_KEPT_SECONDS = 24 * 60 * 60
const BATCH = 200

interface Needs {
  db: Db
  calendarRing: KeyRing
}

/** After a change of SECRET_KEY: until this has run once, the previous key is still needed. */
export function resealTokensJob(needs: Needs): Job {
  return { name: 'reseal-calendar-tokens', everyMs: DAY_MS, run: (signal) => resealAll(needs, signal) }
}

export function purgeCodesJob({ db, clock }: { db: Db; clock: Clock }): Job {
  const run = () => purgeCodes(db, secondsAfter(clock.now(), -CODES_KEPT_SECONDS))
  return { name: 'purge-calendar-codes', everyMs: HOUR_MS, run }
}

/** Seals with the current key whatever is still sealed with the one before. What no key opens is left as it is. */
export async function resealAll({ db, calendarRing: ring }: Needs, signal: AbortSignal): Promise<void> {
  let after: ConnectionKey | undefined
  while (!signal.aborted) {
    const batch = await listConnections(db, after, BATCH)
    for (const { sealedTokens, ...key } of batch) {
      const kept = needsReseal(ring, sealedTokens) && openTokens(ring, key, sealedTokens)
      if (kept) await resealTokens(db, key, sealedTokens, sealKept(ring, key, kept))
    }
    after = batch.at(-1)
    if (batch.length < BATCH) return
  }
}
