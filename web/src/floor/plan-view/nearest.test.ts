import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Direction, nearestPlace } from './nearest.ts'

describe('an arrow', () => {
  // three rooms above a hall, two below it
  const rooms = [
    { x: 100, y: 100 },
    { x: 300, y: 100 },
    { x: 500, y: 100 },
    { x: 200, y: 400 },
    { x: 480, y: 400 },
  ]

  it.each<[from: number, direction: Direction, to: number]>([
    [0, 'right', 1],
    [1, 'left', 0],
    [1, 'down', 3],
    [2, 'down', 4],
    [3, 'up', 0],
    [4, 'up', 2],
    // nothing lies there: the next one in order, around the end
    [2, 'right', 3],
    [0, 'left', 4],
    [0, 'up', 4],
    [4, 'down', 0],
  ])('from %i %s leads to %i', (from, direction, to) => {
    expect(nearestPlace(rooms, from, direction)).toBe(to)
  })

  it('leads nowhere where there is one place', () => {
    expect(nearestPlace([{ x: 0, y: 0 }], 0, 'up')).toBeUndefined()
    expect(nearestPlace([], 0, 'up')).toBeUndefined()
  })

  it('reaches every place from every other one', () => {
    const place = fc.record({ x: fc.integer({ max: 2_000 }), y: fc.integer({ max: 2_000 }) })
    fc.assert(
      fc.property(fc.array(place, { minLength: 2, maxLength: 20 }), (places) => {
        const reached = new Set([0])
        for (const at of reached)
          for (const direction of ['up', 'down', 'left', 'right'] as const) {
            const next = nearestPlace(places, at, direction)
            if (next !== undefined) reached.add(next)
          }
        expect(reached.size).toBeGreaterThan(1)
      }),
    )
  })
})
