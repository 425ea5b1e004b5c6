import type { Person } from '@atrium/client/people'
import { describe, expect, it } from 'vitest'
import { EMPTY_FLOOR, type FloorInput, floorOf } from './floor-state.ts'

const FEW = 500
/** What grows with the square of them would cost 64 times as much. */
const TIMES_AS_MANY = 8
const TIMES_MAX = 24
/** Some systems count the time of a processor by four milliseconds. */
const CHANGES = 60

function office(count: number): FloorInput {
  const people = Array.from(
    { length: count },
    (_, at): Person => ({
      ...{ id: `${at}`, displayName: `Name${at} Last`, avatarUrl: '', email: `${at}@people.example` },
      ...{ role: 'member', presenceUserId: `user_${at}`, presenceStatus: 'online', status: 'online' },
    }),
  )
  return { people, rooms: [], atDoors: [], ownId: '0', arrivals: new Set() }
}

/** Of one who goes and comes again, in microseconds. */
function costOf(count: number): number {
  const input = office(count)
  const [first, ...others] = input.people as [Person, ...Person[]]
  let state = floorOf(input, EMPTY_FLOOR)
  const before = process.cpuUsage()
  for (let turn = 0; turn < CHANGES; turn += 1) {
    const changed: Person = { ...first, status: turn % 2 ? 'away' : 'online' }
    state = floorOf({ ...input, people: [changed, ...others] }, state)
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / CHANGES
}

describe('a change on a floor of many people', () => {
  it('costs in proportion to them', () => {
    costOf(FEW)
    expect(costOf(FEW * TIMES_AS_MANY) / costOf(FEW)).toBeLessThan(TIMES_MAX)
  })
})
