import { expect, it } from 'vitest'
import { placesOf } from './layout.ts'

const camera = { isScreen: false, size: { width: 640, height: 360 } }
const upright = { isScreen: false, size: { width: 360, height: 640 } }
const screen = { isScreen: true, size: { width: 1_920, height: 1_080 } }
const told = (...pictures: Parameters<typeof placesOf>[0]) =>
  placesOf(pictures).map(({ x, y, width, height }) => `${width}x${height} at ${x},${y}`)

it('gives one camera all, two the halves, three two rows with the last in the middle', () => {
  expect(told()).toEqual([])
  expect(told(camera)).toEqual(['1280x720 at 0,0'])
  expect(told(camera, camera)).toEqual(['640x360 at 0,180', '640x360 at 640,180'])
  expect(told(camera, camera, camera)).toEqual(['640x360 at 0,0', '640x360 at 640,0', '640x360 at 320,360'])
})

it('keeps the form of a picture, in even numbers', () => {
  expect(told(upright)).toEqual(['404x720 at 438,0'])
  expect(told({ isScreen: false, size: { width: 4_000, height: 16 } })).toEqual(['1280x4 at 0,358'])
})

it('shows the latest screen large, and the others beside it', () => {
  expect(told(screen)).toEqual(['1280x720 at 0,0'])
  expect(told(camera, screen, camera)).toEqual([
    '256x144 at 1024,216',
    '1024x576 at 0,72',
    '256x144 at 1024,360',
  ])
  expect(told(screen, screen)).toEqual(['256x144 at 1024,288', '1024x576 at 0,72'])
  const many = placesOf([screen, ...Array.from({ length: 9 }, () => camera)])
  expect(many.every(({ y, height }) => y >= 0 && y + height <= 720)).toBe(true)
})
