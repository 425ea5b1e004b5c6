import { expect, it } from 'vitest'
import { isOwnMediaServer } from './own-media-server.ts'

it.each([
  ['wss://office.example', 'https://office.example/rooms/1', true],
  ['ws://localhost:3000', 'http://localhost:3000/', true],
  ['wss://livekit.example', 'https://office.example/', false],
  ['ws://localhost:7880', 'http://localhost:3000/', false],
  ['', 'https://office.example/', false],
  [undefined, 'https://office.example/', false],
])('rooms at %s are of the office whose page is %s: %s', (url, page, expected) => {
  expect(isOwnMediaServer(url, page)).toBe(expected)
})
