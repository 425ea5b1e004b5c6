import { type Operation, operations } from '@atrium/contract'
import type { Budgets } from '../../access/budgets/budgets.ts'
import type { AtWork } from '../../access/budgets/call-budget.ts'
import type { AnyCaller } from '../../access/caller.ts'
import { requestNote } from '../../platform/http/request-note.ts'
import { askerOf } from '../../platform/http/request-record.ts'
import type { HeldLoop } from '../../platform/http/request-stretches.ts'
import type { Log } from '../../platform/log.ts'
import type { NodePage } from '../../platform/metrics/node-page.ts'

/** The payer of a request, as soon as it is known. */
export const payerOf = requestNote<AnyCaller | AtWork>('payer')

/** A request that held the event loop is told in the log and in a metric, without its content, and pays for the time. */
export function heldLoopTold(needs: {
  log: Log
  nodePage: NodePage
  budgets: Pick<Budgets, 'chargeTime'>
}): (held: HeldLoop) => void {
  return ({ request, operation, bytes, ms }) => {
    const told = { requestId: request.id, operation, bytes, ms: Math.round(ms), ...askerOf.read(request) }
    needs.log.warn(told, 'a request held the event loop')
    needs.nodePage.observe('http_loop_held_seconds', ms / 1_000, { operation })
    const payer = payerOf.read(request)
    const declared = (operations as Record<string, Operation>)[operation]
    if (payer) needs.budgets.chargeTime(declared ?? {}, payer, ms)
  }
}
