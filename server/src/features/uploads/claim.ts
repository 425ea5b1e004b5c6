import { type Clock, secondsAfter } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { every } from '../../platform/timing/timer.ts'
import { claimTicket, extendClaim, releaseTicket } from './store.ts'

/** How long after a crash no other call may have the upload; the call that has it extends the lease again and again. */
const LEASE_SECONDS = 12
const EXTEND_EVERY_MS = 3_000

/** The right of one call to finalize an upload. It lasts as long as its process does, and not much longer. */
export interface Claim {
  /** The call before never came to an end: its try is still spent for the upload. */
  wasAbandoned: boolean
  /** Ends the extending. @returns when the claim runs out, which stands from now on */
  settle(): Promise<Date>
  /** Leaves the upload to the next call; once settled. */
  release(): Promise<void>
}

/** Claims an upload for one call. @returns undefined where another call has it, or it is finished */
export async function claimUpload(
  needs: { db: Db; clock: Clock },
  ownerId: string,
  tmpKey: string,
): Promise<Claim | undefined> {
  const { db, clock } = needs
  const now = clock.now()
  let until = secondsAfter(now, LEASE_SECONDS)
  const claimed = await claimTicket(db, ownerId, tmpKey, { now, until })
  if (!claimed) return undefined

  let extending = Promise.resolve()
  const extend = async () => {
    const longer = secondsAfter(clock.now(), LEASE_SECONDS)
    if (await extendClaim(db, ownerId, tmpKey, { until, longer })) until = longer
  }
  const extendNext = () => {
    extending = extending.then(extend).catch(() => undefined)
  }
  // a database that does not answer is asked again at the next turn
  const timer = every(EXTEND_EVERY_MS, extendNext, () => undefined)
  return {
    ...claimed,
    async settle() {
      timer.stop()
      await extending
      return until
    },
    release: () => releaseTicket(db, ownerId, tmpKey, until),
  }
}
