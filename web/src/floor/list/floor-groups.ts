import type { Person } from '@atrium/client/people'

export interface FloorGroups {
  /** People who are not offline, those who can be disturbed first. */
  around: readonly Person[]
  offline: readonly Person[]
  /** None of the people. */
  bots: readonly Person[]
}

/** Who comes first among those who are around. */
const RANK: Record<Person['status'], number> = { online: 0, away: 1, busy: 2, appear_offline: 3, offline: 3 }

/** Colleagues by how they can be reached; in a room one is around, however one appears. By name within a group. */
export function floorGroups(people: readonly Person[], ownId: string): FloorGroups {
  const others = people.filter(({ id, isBot }) => id !== ownId && !isBot)
  const isAround = ({ status, activity }: Person) => RANK[status] < 3 || activity === 'in-room'
  return {
    around: others.filter(isAround).sort((a, b) => RANK[a.status] - RANK[b.status]),
    offline: others.filter((person) => !isAround(person)),
    bots: people.filter(({ isBot }) => isBot),
  }
}
