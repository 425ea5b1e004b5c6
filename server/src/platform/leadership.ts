import { AsyncLocalStorage } from 'node:async_hooks'

/** What is done by a leader, as long as it lasts. */
export interface Leadership {
  /** Whether no other node can be the leader yet. */
  isSure(): boolean
}

/** Work as the leader, by a node that may not be it any more: another node is at it, or will be at once. */
export class LeadershipLost extends Error {
  constructor() {
    super('the leadership was lost')
    this.name = 'LeadershipLost'
  }
}

const leaders = new AsyncLocalStorage<Leadership & { over: boolean }>()

/**
 * Runs `work` so that it gets no connection once the leadership is no longer sure: a process that was frozen wakes in
 * the middle of its work, before any timer has told it. What was begun in a transaction ends by its own locks.
 */
export async function withinLeadership<T>(leadership: Leadership, work: () => Promise<T>): Promise<T> {
  const mine = { isSure: () => leadership.isSure(), over: false }
  try {
    return await leaders.run(mine, work)
  } finally {
    // what it has left behind (a timer, a cache that fills itself) is no work of the leader's
    mine.over = true
  }
}

/** @throws LeadershipLost where this is done by a leader that may be none any more */
export function requireLeadership(): void {
  const leading = leaders.getStore()
  if (leading && !leading.over && !leading.isSure()) throw new LeadershipLost()
}
