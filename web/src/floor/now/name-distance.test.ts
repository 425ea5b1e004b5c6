import { expect, it } from 'vitest'
import { distanceOf } from './name-distance.ts'

it('puts what begins so before what has it further on', () => {
  const names = ['Hedy Lamarr', 'Bjarne Madsen', 'Anna-Maria Vogt', 'Mae Jemison']
  expect(names.map((name) => distanceOf(name, ' ma'))).toEqual([2, 1, 1, 0])
  expect(distanceOf('Bjarne Madsen', 'bjarne m')).toBe(0)
  expect(distanceOf('Mae Jemison', '')).toBe(0)
})
