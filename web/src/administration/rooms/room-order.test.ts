import { describe, expect, it } from 'vitest'
import { type InOrder, movedBy } from './room-order.ts'

const room = (id: string, position: number): InOrder => ({ id, position })
const ROOMS = [room('a', 1000), room('b', 1500), room('c', 9000)]

/** The order after a move, as the office lists it: by position. */
function after(rooms: readonly InOrder[], id: string, by: -1 | 1): string {
  const moved = new Map(movedBy(rooms, id, by).map((one) => [one.id, one.position]))
  return rooms
    .map((one) => room(one.id, moved.get(one.id) ?? one.position))
    .sort((one, other) => one.position - other.position)
    .map((one) => one.id)
    .join('')
}

describe('movedBy', () => {
  it('lets two rooms change places, and no position comes or goes', () => {
    expect(after(ROOMS, 'c', -1)).toBe('acb')
    expect(after(ROOMS, 'a', 1)).toBe('bac')
    expect(movedBy(ROOMS, 'b', 1)).toEqual([room('b', 9000), room('c', 1500)])
  })
  it('changes nothing at the ends, or for a room that is gone', () => {
    expect(movedBy(ROOMS, 'a', -1)).toEqual([])
    expect(movedBy(ROOMS, 'c', 1)).toEqual([])
    expect(movedBy(ROOMS, 'x', 1)).toEqual([])
  })
  it('numbers all anew where two stand at one position', () => {
    const tied = [room('a', 0), room('b', 0), room('c', 3000)]
    expect(after(tied, 'b', -1)).toBe('bac')
    expect(movedBy(tied, 'b', -1)).toEqual([room('b', 1000), room('a', 2000)])
  })
})
