import { AsyncLocalStorage } from 'node:async_hooks'
import { beginStretch, endStretch, type Holder } from '../timing/loop-stretch.ts'

/** What is left of the time that one request may wait for the database. */
export interface WaitingBudget {
  leftMs: number
  underWay?: RoomAtDoor
  /** The request itself: the event loop runs for it whenever a wait has ended. */
  holder?: WaitingHolder
  /** It has changed something: what it still needs for its answer is refused by no time that it has spent before. */
  hasCommitted: boolean
  /** What it had at its beginning. */
  wholeMs: number
  /** Waits that go on now; together they count once. */
  open: number
  since: number
}

/** A taken part of a share: see `fairShares`. */
export interface Lease {
  isHeld(): boolean
  /** Gives it back. Again: nothing. */
  release(): void
  /** The same, where what it was taken for has waited for the database until the end. */
  releaseUnanswered(): void
}

/** The room of a request at the door: see `requestsUnderWay`. */
export interface RoomAtDoor {
  lease: Lease
  takeAgain(): Promise<Lease>
}

export interface WaitingHolder extends Holder {
  /** How long it has waited, all waits together. */
  waitedMs: number
}

export interface Wait {
  /** Whole milliseconds that this wait may take; 0: none is left. */
  leftMs: number
  end(): void
}

const budgets = new AsyncLocalStorage<WaitingBudget>()

export function newWaitingBudget(milliseconds: number, holder?: WaitingHolder): WaitingBudget {
  return {
    leftMs: milliseconds,
    wholeMs: milliseconds,
    hasCommitted: false,
    open: 0,
    since: 0,
    ...(holder && { holder }),
  }
}

/** The budget of the request that runs now; undefined outside of `withinWaitingBudget`. */
export function currentBudget(): WaitingBudget | undefined {
  return budgets.getStore()
}

/** Says that the request that runs now has changed something: an answer that refuses it would deny that from here on. */
export function noteCommitted(): void {
  const budget = budgets.getStore()
  if (!budget || budget.hasCommitted) return
  budget.hasCommitted = true
  budget.leftMs = budget.wholeMs
}

/**
 * Runs `work`, which may wait for the database only as long as the budget lasts, for any number of statements: bounds
 * of single statements add up. What is spent elsewhere (at a vendor) does not count.
 */
export function withinWaitingBudget<T>(budget: WaitingBudget, work: () => T): T {
  return budgets.run(budget, work)
}

/** Begins to wait. Undefined outside of `withinWaitingBudget`: there waiting has no bound. */
export function beginWait(): Wait | undefined {
  const budget = budgets.getStore()
  if (!budget) return undefined
  const now = performance.now()
  if (budget.holder) endStretch(budget.holder, now)
  if (budget.open > 0) spend(budget, now - budget.since)
  budget.since = now
  budget.open += 1
  let over = false
  return {
    leftMs: inTimerSteps(Math.max(0, Math.ceil(budget.leftMs))),
    end() {
      if (over) return
      over = true
      const end = performance.now()
      spend(budget, end - budget.since)
      budget.since = end
      budget.open -= 1
      if (budget.holder) beginStretch(budget.holder, end)
    },
  }
}

/** Long waits by tenths of a second: timers of one length are one list, and nearly all waits have the same. */
function inTimerSteps(milliseconds: number): number {
  return milliseconds > 1_000 ? Math.ceil(milliseconds / 100) * 100 : milliseconds
}

function spend(budget: WaitingBudget, ms: number): void {
  budget.leftMs -= ms
  if (budget.holder) budget.holder.waitedMs += ms
}

/** Runs `work` for no request: its waiting is counted to none, and ended by none. */
export function withoutWaitingBudget<T>(work: () => T): T {
  return budgets.exit(work)
}

/** Refused as the database's own silence is: with 503. */
export function outOfTime(): Error {
  return new Error('the database did not answer in time')
}
