import type { Db, Tx } from '../../../platform/database/database.ts'
import { isUniqueViolation } from '../../../platform/database/database-errors.ts'
import { transaction } from '../../../platform/database/transaction.ts'
import { DoneBeside, type DoneWord, ScimFault } from '../protocol/faults.ts'

/** Where a transaction ends: with all that was asked for, or before that, with what takes access away. */
export type Reached<Result> = { whole: Result } | { taken: DoneWord; version: string }

export interface Steps<Result> {
  ifMatch: string | undefined
  /** Takes away what is to be taken, and goes on to the whole where that is nothing. */
  first(tx: Tx, ifMatch: string | undefined): Promise<Reached<Result>>
  /** All that was asked for, on what the first step has left. */
  rest(tx: Tx, ifMatch: string | undefined): Promise<Result>
  /** The whole may leave an admin in place of one who falls by the first step: of a group, and of no single user. */
  mayLeaveAnother?: true
  /** What is said where a name is taken. */
  taken(): ScimFault
}

/**
 * Commits what takes access away first, by itself, even where the rest is refused. Both steps have one connection: the
 * second is not refused for want of one. A condition on the version holds for what the first step has left.
 * @throws ScimFault; DoneBeside where only the first step was done
 */
export async function accessFirst<Result>(
  db: Db,
  { ifMatch, first, rest, mayLeaveAnother, taken }: Steps<Result>,
): Promise<Result> {
  const inTransaction = async <Done>(one: Db, work: (tx: Tx) => Promise<Done>): Promise<Done> => {
    try {
      return await transaction(one, work)
    } catch (error) {
      throw isUniqueViolation(error) ? taken() : error
    }
  }
  return await db.connection().execute(async (one) => {
    let reached: Reached<Result>
    try {
      reached = await inTransaction(one, (tx) => first(tx, ifMatch))
    } catch (error) {
      if (!mayLeaveAnother || !(error instanceof ScimFault && error.word === 'last-admin')) throw error
      // one admin for the other is no loss: where the whole leaves one, no access was to be taken first
      return await inTransaction(one, (tx) => rest(tx, ifMatch)).catch(() => Promise.reject(error))
    }
    if ('whole' in reached) return reached.whole
    const unchanged = ifMatch === undefined ? undefined : reached.version
    try {
      return await inTransaction(one, (tx) => rest(tx, unchanged))
    } catch (error) {
      throw new DoneBeside(reached.taken, error)
    }
  })
}
