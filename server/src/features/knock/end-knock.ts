import type { MemberCaller } from '../../access/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { isUuid } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import { endKnock, type KnockOutcome, type KnockSide, readOutcome } from './store.ts'

export interface EndKnockNeeds {
  db: Db
  clock: Clock
}

/**
 * Ends a knock by one side of it. Of many at once one wins; a side that says the same again is right too.
 * @returns whether it was ended by this
 * @throws Refusal not-found, conflict
 */
export async function endBySide(
  { db, clock }: EndKnockNeeds,
  { organization }: MemberCaller,
  { knockId: id, side, outcome }: { knockId: string; side: KnockSide; outcome: KnockOutcome },
): Promise<boolean> {
  if (!isUuid(id)) throw Refusal.of('knock-not-found')
  if (await endKnock(db, organization.id, { id, side, outcome }, clock.now())) return true
  const ended = await readOutcome(db, organization.id, { id, side })
  if (!ended) throw Refusal.of('knock-not-found')
  if (ended.outcome === outcome) return false
  throw Refusal.of('knock-ended')
}
