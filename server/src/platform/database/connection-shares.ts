import { fairShares, type Lease, type ShareSizes } from '../fair-shares.ts'
import { currentBudget } from './waiting-budget.ts'

/** One connection that a request asks for. */
export interface Claim {
  /** Resolves when the connection may be taken; undefined: it may at once. @throws Refusal too-many */
  granted: Promise<void> | undefined
  /** To be called once, when the connection is given back or could not be had. */
  release(): void
}

export interface ConnectionShares {
  /** For the request that runs now; undefined where it is nobody's. */
  claim(): Claim | undefined
}

/** Two tenths of a pool for a person, six for an organization: whatever they ask, others find room. */
export function sharesOf(maxConnections: number): ShareSizes {
  return {
    person: Math.max(1, Math.floor(maxConnections * 0.2)),
    organization: Math.max(1, Math.floor(maxConnections * 0.6)),
  }
}

/**
 * Keeps one person, or one organization, from holding all connections of a pool. A request that holds a connection
 * already (of whatever pool) never waits for a second one: two of them would wait for each other. Neither does one that has
 * committed a change: it would be refused what is done.
 */
export function connectionShares(sizes: ShareSizes): ConnectionShares {
  const shares = fairShares(() => sizes)
  return {
    claim() {
      const budget = currentBudget()
      const owner = budget?.owner
      if (!budget || !owner) return undefined
      let counted: Lease | undefined
      const count = (lease?: Lease) => {
        counted = lease
        budget.held += 1
      }
      const release = () => {
        budget.held -= 1
        counted?.release()
      }
      if (budget.held > 0 || budget.hasCommitted) {
        count()
        return { granted: undefined, release }
      }
      const atOnce = shares.tryTake(owner)
      if (atOnce) {
        count(atOnce)
        return { granted: undefined, release }
      }
      const granted = shares.wait(owner, { milliseconds: Math.max(0, budget.leftMs) }).then(count)
      return {
        granted,
        release() {
          if (counted) release()
        },
      }
    },
  }
}
