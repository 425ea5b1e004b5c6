import { subscribe } from 'node:diagnostics_channel'
import type { ServerResponse } from 'node:http'
import { isDatabaseAway } from '../database/database-errors.ts'
import { beginWait, currentBudget, type Lease } from '../database/waiting-budget.ts'
import { Refusal } from '../refusal.ts'
import { type FairShares, fairShares, type Owner, type ShareSizes } from './fair-shares.ts'

/** What the request is answered by: it tells when its sender is gone. */
interface Answer {
  raw: ServerResponse
}

export interface RequestsUnderWay {
  /**
   * Runs the work of a request as soon as its owner's shares leave room, unless its sender is gone by then. The room is
   * given back when the work has come to any end: not when a slow reader has got the answer.
   * @throws Refusal too-many
   * @throws Error of a silent database, where their requests before it waited for that alone
   */
  run<T>(owner: Owner, reply: Answer, work: () => Promise<T>): Promise<T>
}

/**
 * How many requests of one person, and of one organization, are worked on at the same time, of any kind: the processor
 * has no shares of its own. 0: any number.
 */
export function requestsUnderWay(sizesOf: (owner: Owner) => ShareSizes): RequestsUnderWay {
  const shares = fairShares((owner) => {
    const { person, organization } = sizesOf(owner)
    return { person: person || Infinity, organization: organization || Infinity }
  })
  leaveRoomWhileOutside()
  return {
    async run(owner, reply, work) {
      const takeRoom = () => take(shares, owner, reply)
      const room = { lease: await takeRoom(), takeAgain: takeRoom }
      const budget = currentBudget()
      if (budget) budget.underWay ??= room
      try {
        return await work()
      } catch (error) {
        if (isDatabaseAway(error)) room.lease.releaseUnanswered()
        throw error
      } finally {
        room.lease.release()
      }
    },
  }
}

/**
 * The request that runs now has asked another server, and goes on with the database: it takes room at the door again. For
 * what locks rows that others of its organization lock; not within a transaction, which would hold them meanwhile.
 * @throws Refusal too-many
 */
export async function comeBackToDoor(): Promise<void> {
  const room = currentBudget()?.underWay
  if (room && !room.lease.isHeld()) room.lease = await room.takeAgain()
}

async function take(shares: FairShares, owner: Owner, reply: Answer): Promise<Lease> {
  // while it waited for something else, such as its turn by the budgets: `close` will not be heard any more
  if (reply.raw.destroyed) throw senderGone()
  return shares.tryTake(owner) ?? (await waitFor(shares, owner, reply))
}

/** Of the time that the request may wait for the database: all its waiting is within that. */
function waitFor(shares: FairShares, owner: Owner, reply: Answer): Promise<Lease> {
  const wait = beginWait()
  const lease = shares.wait(owner, { milliseconds: wait?.leftMs ?? 0, untilGone: untilGone(reply) })
  if (!wait) return lease
  const end = () => wait.end()
  lease.then(end, end)
  return lease
}

/** Without a reader: the connection is gone. */
function senderGone(): Refusal {
  return Refusal.of('unavailable', { message: 'Whoever sent the request is gone' })
}

const untilGone =
  ({ raw }: Answer) =>
  (end: () => void) => {
    raw.once('close', end)
    return () => raw.off('close', end)
  }

let leaving = false

/**
 * A request that asks another server (a calendar, the media server, a store) waits more than it works: from then on it
 * takes no room, which others of its person and organization would otherwise wait for as long as a vendor does not answer. Both channels tell of every request that leaves the process, in the context of who sends it.
 */
function leaveRoomWhileOutside(): void {
  if (leaving) return
  leaving = true
  const leave = () => currentBudget()?.underWay?.lease.release()
  subscribe('undici:request:create', leave)
  subscribe('http.client.request.created', leave)
}
