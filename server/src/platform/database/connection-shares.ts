import { Refusal } from '../refusal.ts'
import { type ConnectionOwner, currentBudget } from './waiting-budget.ts'

/** How many connections of a pool the requests of one person, and of one organization, may hold at the same time. */
export interface ShareSizes {
  person: number
  organization: number
}

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

interface Waiting {
  owner: ConnectionOwner
  grant(): void
}

/** Most requests of one person that wait for their share; one more is refused at once. */
const WAITING_MAX = 100

/** Two tenths of a pool for a person, six for an organization: whatever they ask, others find room. */
export function sharesOf(maxConnections: number): ShareSizes {
  return {
    person: Math.max(1, Math.floor(maxConnections * 0.2)),
    organization: Math.max(1, Math.floor(maxConnections * 0.6)),
  }
}

/**
 * Keeps one person, or one organization, from holding all connections of a pool. Who has their share waits for a
 * request of their own to end, in the order of asking, while others pass. A request that holds a connection already
 * (of whatever pool) never waits for a second one: two of them would wait for each other.
 */
export function connectionShares(sizes: ShareSizes): ConnectionShares {
  const people = new Map<string, number>()
  const organizations = new Map<string, number>()
  const waiting = new Set<Waiting>()

  const fits = ({ person, organization }: ConnectionOwner) =>
    (people.get(person) ?? 0) < sizes.person &&
    (organization === undefined || (organizations.get(organization) ?? 0) < sizes.organization)
  const take = ({ person, organization }: ConnectionOwner, change: 1 | -1) => {
    add(people, person, change)
    if (organization !== undefined) add(organizations, organization, change)
  }
  const grantWhatFits = () => {
    for (const next of waiting) {
      if (!fits(next.owner)) continue
      waiting.delete(next)
      take(next.owner, 1)
      next.grant()
    }
  }

  const wait = (owner: ConnectionOwner, milliseconds: number) => {
    let ahead = 0
    for (const other of waiting) if (other.owner.person === owner.person) ahead += 1
    if (ahead >= WAITING_MAX) throw tooManyAtOnce()
    const granted = Promise.withResolvers<void>()
    const entry = { owner, grant: granted.resolve }
    waiting.add(entry)
    const timer = setTimeout(() => {
      if (waiting.delete(entry)) granted.reject(tooManyAtOnce())
    }, milliseconds)
    return granted.promise.finally(() => clearTimeout(timer))
  }

  return {
    claim() {
      const budget = currentBudget()
      const owner = budget?.owner
      if (!budget || !owner) return undefined
      if (budget.held > 0) {
        budget.held += 1
        return {
          granted: undefined,
          release: () => {
            budget.held -= 1
          },
        }
      }
      let counted = fits(owner)
      if (counted) {
        take(owner, 1)
        budget.held += 1
      }
      const granted = counted
        ? undefined
        : wait(owner, Math.max(0, budget.leftMs)).then(() => {
            counted = true
            budget.held += 1
          })
      return {
        granted,
        release() {
          if (!counted) return
          budget.held -= 1
          take(owner, -1)
          grantWhatFits()
        },
      }
    },
  }
}

function add(counts: Map<string, number>, key: string, change: number): void {
  const count = (counts.get(key) ?? 0) + change
  if (count === 0) counts.delete(key)
  else counts.set(key, count)
}

function tooManyAtOnce(): Refusal {
  return new Refusal('too-many', 'Too many of your requests are still in progress; wait for them to finish', {
    error: 'rate-limited',
    retryAfterSeconds: 1,
  })
}
