import { expect, it } from 'vitest'
import { fileKeyTold, typeOfFilm } from './film-file.ts'

const KNOWN = 'recordings/org_1/7c2e9a51.mp4'

it.each([
  ['recordings/org_1/7c2e9a51.webm', 'recordings/org_1/7c2e9a51.webm'],
  [undefined, KNOWN],
  ['recordings/org_2/7c2e9a51.webm', KNOWN],
  ['recordings/org_1/7c2e9a51.webm/../x.webm', KNOWN],
  ['recordings/org_1/7c2e9a51.html', KNOWN],
  ['recordings/org_1/7c2e9a51', KNOWN],
])('a recorder that tells of %s means %s', (told, key) => {
  expect(fileKeyTold(KNOWN, told)).toBe(key)
})

it('the type of a film follows from its name', () => {
  expect(['a.webm', 'a.mp4', 'a.ogg', 'a'].map(typeOfFilm)).toEqual([
    'video/webm',
    'video/mp4',
    'audio/ogg',
    'video/mp4',
  ])
})
