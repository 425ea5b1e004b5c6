import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { placeFor, tileGrid } from './tile-grid.ts'

const GAP = 12
const NARROWEST = 144
const options = { gap: GAP, narrowest: NARROWEST }
const ALMOST = 1e-6

const count = fc.integer({ min: 1, max: 60 })
const box = fc.record({
  width: fc.integer({ min: 200, max: 2_600 }),
  height: fc.integer({ min: 120, max: 1_500 }),
})

/** Of each number of columns there is. */
const widthWith = (columns: number, tiles: number, { width, height }: { width: number; height: number }) => {
  const rows = Math.ceil(tiles / columns)
  const across = (width - (columns - 1) * GAP) / columns
  const down = (height - (rows - 1) * GAP) / rows
  return Math.max(0, Math.min(across, (down * 16) / 9))
}

describe('the grid of tiles', () => {
  it('has tiles of 16:9', () => {
    fc.assert(
      fc.property(count, box, (tiles, room) => {
        const { width, height } = tileGrid(tiles, room, options)
        expect(width / height).toBeCloseTo(16 / 9, 6)
      }),
    )
  })

  it('never sticks out sideways, nor below where its tiles can be wide enough', () => {
    fc.assert(
      fc.property(count, box, (tiles, room) => {
        const { columns, width, height } = tileGrid(tiles, room, options)
        expect(columns * width + (columns - 1) * GAP).toBeLessThanOrEqual(room.width + ALMOST)
        const rows = Math.ceil(tiles / columns)
        const fits = Math.max(...Array.from({ length: tiles }, (_, at) => widthWith(at + 1, tiles, room)))
        if (fits >= NARROWEST)
          expect(rows * height + (rows - 1) * GAP).toBeLessThanOrEqual(room.height + ALMOST)
        else expect(width).toBeGreaterThanOrEqual(Math.min(NARROWEST, room.width) - ALMOST)
      }),
    )
  })

  it('has the largest tiles that there are', () => {
    fc.assert(
      fc.property(count, box, fc.integer({ min: 1, max: 60 }), (tiles, room, other) => {
        const { width } = tileGrid(tiles, room, options)
        expect(width).toBeGreaterThanOrEqual(widthWith(other, tiles, room) - ALMOST)
      }),
    )
  })

  it('loses nothing in a larger window, and gains nothing by more people', () => {
    fc.assert(
      fc.property(count, box, fc.integer({ min: 0, max: 400 }), (tiles, room, more) => {
        const { width } = tileGrid(tiles, room, { gap: GAP, narrowest: 0 })
        const larger = { width: room.width + more, height: room.height + more }
        expect(tileGrid(tiles, larger, { gap: GAP, narrowest: 0 }).width).toBeGreaterThanOrEqual(
          width - ALMOST,
        )
        expect(tileGrid(tiles + 1, room, { gap: GAP, narrowest: 0 }).width).toBeLessThanOrEqual(
          width + ALMOST,
        )
      }),
    )
  })

  it('stands as one expects it', () => {
    const desk = { width: 1_180, height: 644 }
    expect([1, 2, 3, 4, 5, 6, 9, 12].map((tiles) => tileGrid(tiles, desk, options).columns)).toEqual([
      1, 2, 2, 2, 3, 3, 3, 4,
    ])
    // beside a chat
    expect(tileGrid(6, { width: 820, height: 644 }, options).columns).toBe(2)
    // a phone
    expect(tileGrid(2, { width: 340, height: 580 }, options).columns).toBe(1)
  })
})

describe('the place of a picture', () => {
  it('is within its box, and of its shape', () => {
    fc.assert(
      fc.property(box, fc.integer({ min: 3, max: 40 }), (room, tenths) => {
        const ratio = tenths / 10
        const { width, height } = placeFor(ratio, room)
        expect(width / height).toBeCloseTo(ratio, 6)
        const spare = [room.width - width, room.height - height]
        expect(Math.min(...spare)).toBeCloseTo(0, 6)
      }),
    )
  })
})
