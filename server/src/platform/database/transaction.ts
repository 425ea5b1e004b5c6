import { AsyncLocalStorage } from 'node:async_hooks'
import { sql } from 'kysely'
import { currentTraceparent } from '../trace.ts'
import type { Db, Tx } from './database.ts'
import { isUndone } from './database-errors.ts'
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

/** The same for work that cannot be run again, such as one that writes a file besides. */
export async function transactionOnce<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  let failure: unknown
  const run = async (tx: Tx) => {
    await noteTrace(tx)
    return await work(tx)
  }
  const noted = (tx: Tx) =>
    run(tx).catch((error) => {
      failure = error
      throw error
    })
  // where the connection is gone the rollback fails too, which says less
  const done = await db
    .transaction()
    .execute((tx) => open.run(true, () => noted(tx)))
    .catch((error) => {
      throw failure ?? error
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
