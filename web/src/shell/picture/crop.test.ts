import { describe, expect, it } from 'vitest'
import { maxZoom, moved, placed, placeOf, wholeCrop, zoomed, zoomOf } from './crop.ts'

const wide = { width: 1_000, height: 400 }

describe('the part of a picture that is shown', () => {
  it('is the square of its middle at first', () => {
    expect(wholeCrop(wide)).toEqual({ x: 300, y: 0, side: 400 })
    expect(wholeCrop({ width: 400, height: 1_000 })).toEqual({ x: 0, y: 300, side: 400 })
  })

  it('is zoomed around its middle, and never smaller than the office takes it', () => {
    const near = zoomed(wholeCrop(wide), wide, 2)
    expect(near).toEqual({ x: 400, y: 100, side: 200 })
    expect(zoomOf(near, wide)).toBe(2)
    expect(zoomed(near, wide, 100).side).toBe(128)
    expect(zoomed(near, wide, 0.1)).toEqual(wholeCrop(wide))
    expect(maxZoom({ width: 128, height: 500 })).toBe(1)
  })

  it('never leaves the picture, whether it is moved or zoomed out at an edge', () => {
    const whole = wholeCrop(wide)
    expect(moved(whole, wide, -5_000, -5_000)).toEqual({ x: 0, y: 0, side: 400 })
    expect(moved(whole, wide, 5_000, 5_000)).toEqual({ x: 600, y: 0, side: 400 })
    const atEdge = moved(zoomed(whole, wide, 2), wide, 5_000, 5_000)
    expect(zoomed(atEdge, wide, 1)).toEqual({ x: 600, y: 0, side: 400 })
  })

  it('is put anywhere between the ends', () => {
    const whole = wholeCrop(wide)
    expect(placeOf(whole, wide)).toEqual({ across: 0.5, down: 0.5 })
    expect(placed(whole, wide, { across: 1 })).toEqual({ x: 600, y: 0, side: 400 })
    expect(placeOf(placed(whole, wide, { across: 0.25 }), wide).across).toBe(0.25)
  })
})
