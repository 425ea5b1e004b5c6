import { expect, it } from 'vitest'
import { drawnFaces } from './chosen-face.ts'

it('offers the own portrait, and others that differ from it and from each other for most people', () => {
  const [own, ...others] = drawnFaces('42')
  expect(own).toEqual({ url: '' })
  expect(others).toHaveLength(5)
  expect(new Set(others.map(({ url }) => url)).size).toBe(5)
})

it('offers the same ones again after a reload', () => {
  const urls = () => drawnFaces('7').map(({ url }) => url)
  expect(urls()).toEqual(urls())
})
