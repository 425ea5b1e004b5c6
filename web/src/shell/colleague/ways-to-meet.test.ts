import { expect, it } from 'vitest'
import { firstWay } from './ways-to-meet.ts'

const room = (locked: boolean, ...inside: string[]) => ({
  locked,
  temporary: false,
  people: inside.map((userId) => ({ userId }) as never),
})

it.each([
  ['oneself', { id: 'me', status: 'online' }, undefined, 'profile'],
  ['free in the office', { id: '1', status: 'online' }, undefined, 'talk'],
  ['in an open room', { id: '1', status: 'online' }, room(false, '1'), 'join'],
  ['busy in an open room', { id: '1', status: 'busy' }, room(false, '1'), 'join'],
  ['behind a locked door', { id: '1', status: 'online' }, room(true, '1'), 'knock-at-room'],
  ['in the locked room that one is in', { id: '1', status: 'online' }, room(true, '1', 'me'), 'join'],
  ['at a table for two', { id: '1', status: 'online' }, { ...room(true, '1'), temporary: true }, 'join'],
  ['not to be disturbed', { id: '1', status: 'busy' }, undefined, 'write'],
  ['away', { id: '1', status: 'away' }, undefined, 'write'],
  ['offline', { id: '1', status: 'offline' }, undefined, 'write'],
  ['in a meeting elsewhere', { id: '1', status: 'online', activity: 'in-meeting' }, undefined, 'write'],
] as const)('a colleague who is %s', (_, person, where, way) => {
  expect(firstWay(person, where, 'me')).toBe(way)
})
