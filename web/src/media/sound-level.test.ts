import { expect, it } from 'vitest'
import { levelOf } from './sound-level.ts'

it('is nothing in silence, all where it cannot be louder, and between them by decibels', () => {
  expect(levelOf([0, 0, 0])).toBe(0)
  expect(levelOf([])).toBe(0)
  expect(levelOf([1, -1])).toBe(1)
  expect(levelOf([0.0316, -0.0316])).toBeCloseTo(0.5, 1)
})
