import { type IdentityUserId, type OrganizationId, trusted, type UserId } from '../../platform/ids.ts'
import type { Status } from './rules.ts'

/** An active member with their true status. */
export interface KnownPresence {
  id: UserId
  identityId: IdentityUserId
  status: Status
}

/** One counted change, as the database tells of it. Without a user: anything may have changed. */
export interface Change {
  organization: OrganizationId
  revision: bigint
  user?: UserId
  status?: Status
}

/** The presence of one organization at one revision. */
export interface Copy {
  revision(): bigint
  /** Takes in the next change, and leaves out what it has. False where the copy can no longer be exact. */
  apply(change: Change): boolean
  /** The people among ids of either kind, each once, ordered by outside id. */
  find(ids: readonly string[]): KnownPresence[]
}

interface Ranked extends KnownPresence {
  rank: number
}

/** The identity provider's ids are ASCII: comparing their code units orders them by code point. */
export function byIdentityId(a: KnownPresence, b: KnownPresence): number {
  return a.identityId < b.identityId ? -1 : 1
}

export function copyOf(startRevision: bigint, people: readonly KnownPresence[]): Copy {
  let revision = startRevision
  // numbered once, so that no answer has to compare texts
  const ranked = [...people].sort(byIdentityId).map((one, rank) => ({ ...one, rank }))
  const byUser = new Map(ranked.map((one) => [one.id, one]))
  // internal ids are numbers and outside ids are not: one index serves both
  const byId = new Map<string, Ranked>(byUser)
  for (const one of ranked) byId.set(one.identityId, one)

  return {
    revision: () => revision,
    apply(change) {
      if (change.revision <= revision) return true
      if (change.revision !== revision + 1n || !change.user || !change.status) return false
      revision = change.revision
      const known = byUser.get(change.user)
      if (known) known.status = change.status
      return true
    },
    find(ids) {
      const found: Ranked[] = []
      for (const id of ids) {
        const known = byId.get(id)
        if (known) found.push(known)
      }
      // once sorted, a person who was asked for twice stands beside themselves
      return found.sort((a, b) => a.rank - b.rank).filter((one, at) => one !== found[at - 1])
    },
  }
}

/** The payload of a notification. Undefined where it is not one of ours. */
export function parseChange(payload: string): Change | undefined {
  try {
    const { organization, revision, user, status } = JSON.parse(payload) as Record<string, string | undefined>
    if (!organization || !revision) return undefined
    return {
      organization: trusted.organizationId(organization),
      revision: BigInt(revision),
      ...(user && status ? { user: trusted.userId(user), status: status as Status } : {}),
    }
  } catch {
    return undefined
  }
}
