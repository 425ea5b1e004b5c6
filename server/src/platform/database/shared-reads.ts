import { AsyncLocalStorage } from 'node:async_hooks'
import DataLoader from 'dataloader'
import { after, turnEnd } from '../timing/timer.ts'
import { currentBudget } from './waiting-budget.ts'

/** Beyond it, another statement goes beside: one person's answer must not wait for that of a crowd. */
const TOGETHER_MAX = 100
/** Statements of one kind under way, from where on the next one gathers. */
const UNDER_WAY_MAX = 2
/** Longest that a statement waits for those before it: where they hang, nothing hangs behind them. */
const GATHER_MS = 2

export type SharedReader<Question, Answer> = (
  question: Question,
  request?: { asksMore?: boolean },
) => Promise<Answer>

/**
 * One statement for all who ask within a turn of the event loop, or while a few of its kind are under way: the busier it
 * is, the less a question costs. Each is answered with what is so at some moment after it was asked; nothing is
 * remembered. They share the patience of the first: where the database is silent, all are told so when that one is.
 *
 * The request that asks first keeps its room (see `requestsUnderWay`) for the statement. The others hold nothing of the
 * database and give their room up: after this they read from memory, or by shared reads. With `asksMore`, because
 * statements of its own may follow, a request keeps its room in either case.
 * @param read answers as many as it is asked, in their order
 */
export function sharedReads<Question, Answer>(
  read: (questions: readonly Question[]) => Promise<readonly Answer[]>,
): SharedReader<Question, Answer> {
  const statements = gathered()
  let isFirst = false
  const loader = new DataLoader<Question, Answer>((questions) => statements.run(() => read(questions)), {
    cache: false,
    maxBatchSize: TOGETHER_MAX,
    batchScheduleFn(begin) {
      isFirst = true
      statements.schedule(begin)
    },
  })
  return (question, { asksMore = false } = {}) => {
    isFirst = false
    const answer = loader.load(question)
    if (!isFirst && !asksMore) currentBudget()?.underWay?.lease.releaseUnanswered()
    return answer
  }
}

/** When statements of one kind begin. */
interface Gathered {
  /** At the end of this turn of the event loop, where few are under way; else once one of them is answered. */
  schedule(begin: () => void): void
  run<T>(statement: () => Promise<T>): Promise<T>
}

function gathered(): Gathered {
  let underWay = 0
  let beginNext: (() => void) | undefined
  return {
    schedule(begin) {
      if (underWay < UNDER_WAY_MAX) return turnEnd(begin, warn)()
      // it belongs to the request that asked first, not to the one that is answered
      const beginOnce = AsyncLocalStorage.bind(() => {
        late.stop()
        if (beginNext !== beginOnce) return
        beginNext = undefined
        begin()
      })
      // one that is full already
      beginNext?.()
      beginNext = beginOnce
      const late = after(GATHER_MS, beginOnce, warn)
    },
    async run(statement) {
      underWay += 1
      try {
        return await statement()
      } finally {
        underWay -= 1
        beginNext?.()
      }
    },
  }
}

function warn(error: unknown): void {
  process.emitWarning(error as Error)
}
