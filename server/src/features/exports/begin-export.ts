import { randomUUID } from 'node:crypto'
import type { Budgets } from '../../access/budgets/budgets.ts'
import type { SignedInCaller } from '../../access/caller.ts'
import { enqueue } from '../../platform/background/work-items.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { Refusal } from '../../platform/refusal.ts'
import { exportWork } from './export-queue.ts'
import { type ExportOwner, insertExport, isExportRunning } from './store.ts'

export interface BeginNeeds {
  db: Db
  clock: Clock
  budgets: Pick<Budgets, 'drawExport'>
}

/**
 * Has an archive made in the background.
 * @param record what else is to be written down, in the same transaction
 * @returns its id
 */
export async function beginExport(
  needs: BeginNeeds,
  caller: SignedInCaller,
  owner: ExportOwner,
  record: (tx: Tx, id: string, now: Date) => Promise<void>,
): Promise<string> {
  if (await isExportRunning(needs.db, owner)) throw Refusal.of('export-running')
  const id = randomUUID()
  const now = needs.clock.now()
  await needs.budgets.drawExport(caller, owner, () =>
    transaction(needs.db, async (tx) => {
      // of two at once, the second waits for the first
      const objectKey = `exports/${randomUUID()}/${id}.tar.gz`
      if (!(await insertExport(tx, { id, owner, startedBy: caller.user.id, objectKey }, now)))
        throw Refusal.of('export-running')
      await enqueue(tx, exportWork(id, now))
      await record(tx, id, now)
    }),
  )
  return id
}
