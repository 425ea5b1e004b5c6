import { expect, it } from 'vitest'
import { roomOffers } from './room-offers.ts'

const offered = (room: { temporary: boolean; sealed: boolean; ownerId?: string }, isModerator: boolean) =>
  Object.entries(roomOffers({ ownerId: null, ...room }, () => isModerator))
    .filter(([, isOffered]) => isOffered)
    .map(([name]) => name)

it('a table for two offers nothing that the office refuses there', () => {
  expect(offered({ temporary: true, sealed: false }, true)).toEqual([])
})

it('a room offers what the role allows, and no new recording where it is sealed', () => {
  const all = ['chat', 'lock', 'admitGuests', 'invite', 'record', 'recordings', 'settings']
  expect(offered({ temporary: false, sealed: false }, true)).toEqual(all)
  expect(offered({ temporary: false, sealed: true }, true)).toEqual(all.filter((one) => one !== 'record'))
  expect(offered({ temporary: false, sealed: false }, false)).toEqual(['chat', 'lock'])
})

it('a desk has no chat: the office keeps no conversation of it', () => {
  const desk = { temporary: false, sealed: false, ownerId: '3' }
  expect(offered(desk, false)).toEqual(['lock'])
})
