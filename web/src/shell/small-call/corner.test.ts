import { expect, it } from 'vitest'
import { cornerAt, corners } from './corner.ts'

it('knows which of the four corners a point is nearest to', () => {
  const window = { width: 1_280, height: 800 }
  const points = [
    { x: 0, y: 0 },
    { x: 1_279, y: 399 },
    { x: 639, y: 401 },
    { x: 700, y: 799 },
  ]
  expect(points.map((point) => cornerAt(point, window))).toEqual(corners)
})
