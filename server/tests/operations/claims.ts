import type pg from 'pg'
import { BoundedPool } from '../../src/platform/database/bounded-pool.ts'
import { currentBudget, type WaitingBudget } from '../../src/platform/database/waiting-budget.ts'

export interface Claims {
  begin(): void
  /** Where a connection was claimed after a commit: the statement that was sent on it. */
  end(): string[]
  stop(): void
}

const WRITES = /\b(insert into|update|delete from)\b/i

export function watchClaims(): Claims {
  const original = BoundedPool.prototype.connect
  const committed = new WeakMap<WaitingBudget, string>()
  const owners = new WeakMap<pg.PoolClient, WaitingBudget | undefined>()
  const patched = new WeakSet<pg.PoolClient>()
  const late = new WeakMap<pg.PoolClient, string>()
  let seen: string[] = []
  let on = false
  const watch = (client: pg.PoolClient, budget: WaitingBudget | undefined) => {
    owners.set(client, budget)
    late.delete(client)
    if (on && budget && committed.has(budget)) late.set(client, committed.get(budget) as string)
    if (patched.has(client)) return
    patched.add(client)
    const query = client.query.bind(client) as (...given: unknown[]) => unknown
    let wrote = ''
    // biome-ignore lint/suspicious/noExplicitAny: the overloads of pg
    client.query = ((...given: any[]) => {
      const text: string = typeof given[0] === 'string' ? given[0] : given[0]?.text
      const owner = owners.get(client)
      const after = late.get(client)
      if (after !== undefined && on) {
        seen.push(`${text.slice(0, 160).replaceAll(/\s+/g, ' ')} AFTER ${after}`)
        late.delete(client)
      }
      if (text === 'begin' || text === 'rollback') wrote = ''
      else if (WRITES.test(text)) wrote = text.slice(0, 60)
      if (text === 'commit' && owner && wrote && on) committed.set(owner, wrote)
      return query(...given)
    }) as typeof client.query
  }
  // biome-ignore lint/suspicious/noExplicitAny: the overloads of pg
  BoundedPool.prototype.connect = function connect(this: BoundedPool, callback?: any): any {
    const budget = currentBudget()
    if (callback)
      return original.call(this, (error: Error, client: pg.PoolClient, release: unknown) => {
        if (client) watch(client, budget)
        callback(error, client, release)
      })
    return (original.call(this) as Promise<pg.PoolClient>).then((client) => {
      watch(client, budget)
      return client
    })
  }
  return {
    begin() {
      seen = []
      on = true
    },
    end() {
      on = false
      return seen
    },
    stop() {
      BoundedPool.prototype.connect = original
    },
  }
}
