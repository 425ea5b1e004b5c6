import { expect, it } from 'vitest'
import { drawPerson, PICTURE } from './drawn-person.ts'

const BYTES = (PICTURE.width * PICTURE.height * 3) / 2

it('is a whole picture, the same for the same person and moment, and another for another', () => {
  const picture = drawPerson(3, 10, false)
  expect(picture).toHaveLength(BYTES)
  expect(drawPerson(3, 10, false)).toEqual(picture)
  expect(drawPerson(4, 10, false)).not.toEqual(picture)
  expect(drawPerson(3, 11, false)).not.toEqual(picture)
})

it('moves the mouth of who speaks, and nothing else of them', () => {
  const [silent, speaking] = [drawPerson(3, 10.1, false), drawPerson(3, 10.1, true)]
  const different = silent.reduce((count, byte, at) => count + (byte === speaking[at] ? 0 : 1), 0)
  expect(different).toBeGreaterThan(0)
  expect(different).toBeLessThan(BYTES / 50)
})
