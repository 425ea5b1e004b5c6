import { AsyncLocalStorage } from 'node:async_hooks'
import { sql } from 'kysely'
import { currentTraceparent } from '../trace.ts'
import type { Db, Tx } from './database.ts'
import { isUndone } from './database-errors.ts'
import { isUnsent } from './pg-internals.ts'
import { noteCommitted } from './waiting-budget.ts'

const open = new AsyncLocalStorage<true>()
/** A transaction that loses twice in a row has met another one. */
const TRIES = 3

/**
 * Runs `work` in one transaction: committed when it returns, rolled back when it throws. Where the database says that it
 * has lost a race against another transaction, or stops in its middle, it is run again from its beginning: what it reads
 * by then is what the others have left. So `work` changes nothing but the database.
 */
export async function transaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1)
    try {
      return await transactionOnce(db, work)
    } catch (error) {
      if (tries === TRIES || !isUndone(error)) throw error
    }
}

/**
 * The same for work that cannot be run again, such as one that writes a file besides.
 * @param ofOneMoment all that is read is of one moment, and nothing is written
 */
export async function transactionOnce<T>(
  db: Db,
  work: (tx: Tx) => Promise<T>,
  { ofOneMoment = false } = {},
): Promise<T> {
  let failure: unknown
  const run = async (tx: Tx) => {
    try {
      await noteTrace(tx)
      const done = await work(tx)
      failure = new Error('Connection terminated while a transaction was committed: it may be kept')
      return done
    } catch (error) {
      failure = error
      throw error
    }
  }
  const begun = db.transaction()
  const kind = ofOneMoment ? begun.setIsolationLevel('repeatable read').setAccessMode('read only') : begun
  const done = await kind
    .execute((tx) => open.run(true, () => run(tx)))
    .catch((error) => {
      // Kysely rolls back after whatever failed, and throws that instead where the connection is gone
      throw isUnsent(error) ? (failure ?? error) : error
    })
  noteCommitted()
  return done
}

/**
 * Rows of the outbox and of the work queue have the step that they come of by default, also where a trigger adds them.
 * A traced transaction names its step, until it ends.
 */
async function noteTrace(tx: Tx): Promise<void> {
  const traceparent = currentTraceparent()
  if (traceparent) await sql`select set_config('atrium.traceparent', ${traceparent}, true)`.execute(tx)
}

/**
 * Called by every adapter before it goes outside: a call to a vendor while a transaction is open would hold
 * its locks for as long as the vendor likes, and could not be undone with it.
 */
export function refuseInsideTransaction(action: string): void {
  if (open.getStore()) throw new Error(`${action} was called inside a database transaction`)
}
