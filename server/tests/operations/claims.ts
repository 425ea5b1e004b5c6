import type pg from 'pg'
import { BoundedPool } from '../../src/platform/database/bounded-pool.ts'
import { currentBudget, type WaitingBudget } from '../../src/platform/database/waiting-budget.ts'
import { Refusal } from '../../src/platform/refusal.ts'

/** What refuses a connection to every request that has committed a change. */
export interface LateClaims {
  /** From now on. */
  refuse(): void
  /** No more. @returns how many were refused */
  end(): number
  /** Puts back what was changed outside of the test. */
  stop(): void
}

const WRITES = /\b(insert into|update|delete from)\b/i

type Callback = (error: unknown, client?: pg.PoolClient, release?: unknown) => void

/** Stands between requests and their connections: a transaction that has written and is committed is the change. */
export function lateClaims(): LateClaims {
  const original = BoundedPool.prototype.connect
  const changed = new WeakSet<WaitingBudget>()
  const holders = new WeakMap<pg.PoolClient, WaitingBudget | undefined>()
  const watched = new WeakSet<pg.PoolClient>()
  let isOn = false
  let refused = 0

  const watch = (client: pg.PoolClient) => {
    holders.set(client, currentBudget())
    if (watched.has(client)) return
    watched.add(client)
    const query = client.query.bind(client) as (...given: unknown[]) => unknown
    let wrote = false
    // biome-ignore lint/suspicious/noExplicitAny: the overloads of pg's own method
    client.query = ((...given: any[]) => {
      const text: string = typeof given[0] === 'string' ? given[0] : (given[0]?.text ?? '')
      if (text === 'begin') wrote = false
      else if (WRITES.test(text)) wrote = true
      const holder = holders.get(client)
      if (isOn && text === 'commit' && holder && wrote) changed.add(holder)
      return query(...given)
    }) as typeof client.query
  }
  const isLate = () => {
    const budget = currentBudget()
    return isOn && budget !== undefined && changed.has(budget)
  }
  // biome-ignore lint/suspicious/noExplicitAny: the overloads of pg's own method
  BoundedPool.prototype.connect = function connect(this: BoundedPool, callback?: Callback): any {
    if (isLate()) {
      refused += 1
      const error = Refusal.of('rate-limited', { message: 'Refused after the commit', retryAfterSeconds: 1 })
      return callback ? callback(error, undefined, () => {}) : Promise.reject(error)
    }
    if (!callback) return original.call(this).then(watching)
    return original.call(this, (error: unknown, client: pg.PoolClient, release: unknown) => {
      if (client) watch(client)
      callback(error, client, release)
    })
  }
  const watching = (client: pg.PoolClient) => {
    watch(client)
    return client
  }
  return {
    refuse() {
      refused = 0
      isOn = true
    },
    end() {
      isOn = false
      return refused
    },
    stop() {
      BoundedPool.prototype.connect = original
    },
  }
}
