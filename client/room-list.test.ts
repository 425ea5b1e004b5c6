import { expect, it } from 'vitest'
import { ALL } from './live/due-reader.ts'
import type { ReceivedEvent } from './realtime.ts'
import { outdatedBy, type Room, withEvent, withRoom } from './room-list.ts'

const person = (userId: string) => ({
  ...{ userId, presenceUserId: `user_${userId}`, displayName: `Person ${userId}`, avatarUrl: '' },
  ...{ since: '2026-03-23T09:00:00.000Z', microphone: false, camera: false, screen: false },
  ...{ sound: 'off' as const, speaking: false, hand: false },
})
const room = (id: string, people: string[] = []): Room => ({
  ...{ id, name: `Room ${id}`, metadata: {}, createdAt: '2026-03-23T08:00:00.000Z' },
  ...{ kind: 'meeting' as const, seats: null, locked: false, sealed: false, position: 1_000 },
  ...{ temporary: false, ownerId: null },
  ...{
    people: people.map(person),
    agentDispatch: 'on-request' as const,
    agents: [],
    guests: 0,
    recording: false,
  },
})
const event = (type: string, data: object) => ({ type, data, scope: 'organization' }) as ReceivedEvent
const rooms = [room('a', ['1', '2']), room('b')]

it('takes from an event what it says, and leaves the other rooms as they are', () => {
  const left = withEvent(rooms, event('room.left', { roomId: 'a', userId: '1' }))
  expect(left).toEqual({ rooms: [room('a', ['2']), room('b')] })
  expect(left.rooms[1]).toBe(rooms[1])
  const shares = { userId: '2', microphone: true, camera: false, screen: true }
  const heard = { sound: 'published' as const }
  const described = { name: 'Attic', metadata: { floor: 1 }, kind: 'focus', seats: 2 }
  const fields = { roomId: 'a', guests: 2, recording: true, ...described, person: shares }
  expect(withEvent(rooms, event('room.updated', fields)).rooms[0]).toEqual({
    ...room('a'),
    ...{ guests: 2, recording: true, ...described },
    people: [person('1'), { ...person('2'), ...shares, ...heard }],
  })
  expect(withEvent(rooms, event('room.deleted', { roomId: 'b' }))).toEqual({ rooms: [rooms[0]] })
  const said = { sound: 'on' as const, speaking: true, hand: true }
  const activity = event('room.activity', { roomId: 'a', userId: '2', ...said })
  expect(withEvent(rooms, activity).rooms[0]?.people).toEqual([person('1'), { ...person('2'), ...said }])
})

it('keeps what was told of a microphone before the microphone itself, and forgets it with that', () => {
  const shownAfter = (...events: ReceivedEvent[]) =>
    events.reduce((now: readonly Room[], one) => withEvent(now, one).rooms, rooms)[0]?.people[1]
  const says = event('room.activity', {
    roomId: 'a',
    userId: '2',
    sound: 'muted',
    speaking: false,
    hand: false,
  })
  const publishes = (microphone: boolean) =>
    event('room.updated', { roomId: 'a', person: { userId: '2', microphone, camera: false, screen: false } })
  expect(shownAfter(says, publishes(true))?.sound).toBe('muted')
  expect(shownAfter(publishes(true))?.sound).toBe('published')
  expect(shownAfter(says, publishes(true), publishes(false))?.sound).toBe('off')
  expect(shownAfter(says, publishes(true), publishes(false), publishes(true))?.sound).toBe('published')
})

it('shows a desk that was left to its owner alone, whom the office knows', () => {
  const desk = { ...room('a', ['1']), ownerId: '2' }
  const left = event('room.left', { roomId: 'a', userId: '1' })
  expect(withEvent([desk], left)).toEqual({ rooms: [{ ...desk, people: [] }], toRead: ALL })
})

it('says what has to be read where an event does not say it all', () => {
  const toRead = (type: string, data: object) => withEvent(rooms, event(type, data)).toRead
  expect(toRead('room.created', { roomId: 'c', name: 'c' })).toBe(ALL)
  expect(toRead('room.entered', { roomId: 'b', userId: '1' })).toBe('b')
  expect(toRead('room.entered', { roomId: 'c', userId: '1' })).toBe(ALL)
  expect(toRead('room.updated', { roomId: 'a', position: 5 })).toBe(ALL)
  expect(toRead('room.updated', { roomId: 'c', guests: 1 })).toBe(ALL)
  expect(toRead('profile.updated', { userId: '1', displayName: 'Ada' })).toBe(ALL)
})

it('is the same list after an event that changes nothing of it', () => {
  for (const [type, data] of [
    ['room.left', { roomId: 'c', userId: '1' }],
    ['room.deleted', { roomId: 'c' }],
    ['profile.updated', { userId: '9', displayName: 'Ada' }],
    ['profile.updated', { userId: '1', activity: 'in-room', roomId: 'a' }],
    ['profile.updated', { userId: '1', note: 'Lunch' }],
    ['message.created', {}],
    ['something.newer', {}],
  ] as const)
    expect(withEvent(rooms, event(type, data))).toEqual({ rooms })
  expect(withEvent(rooms, event('room.deleted', { roomId: 'c' })).rooms).toBe(rooms)
})

it('says what an event makes of what is being read: one room, all of them, or nothing', () => {
  expect(outdatedBy(event('room.activity', { roomId: 'a', userId: '1' }))).toBe('a')
  expect(outdatedBy(event('agent.left', { roomId: 'b', botId: '17' }))).toBe('b')
  expect(outdatedBy(event('profile.updated', { userId: '1', displayName: 'Ada' }))).toBe(ALL)
  expect(outdatedBy(event('profile.updated', { userId: '1', activity: 'in-room' }))).toBeUndefined()
  expect(outdatedBy(event('message.created', {}))).toBeUndefined()
})

it('puts a room that was read into its place, and takes out one that is gone', () => {
  expect(withRoom(rooms, 'a', room('a', ['3']))).toEqual([room('a', ['3']), room('b')])
  // the place of one that was not there is known of temporary rooms alone
  expect(withRoom(rooms, 'c', room('c'))).toEqual(rooms)
  const table = { ...room('c'), temporary: true }
  expect(withRoom(rooms, 'c', table)).toEqual([...rooms, table])
  expect(withRoom(rooms, 'a', undefined)).toEqual([room('b')])
})

it('has bots come and go beside the people', () => {
  const agent = {
    botId: '17',
    name: 'Notes',
    since: '2026-03-23T09:00:00.000Z',
    listens: true,
    speaks: false,
  }
  const entered = withEvent(rooms, event('agent.entered', { roomId: 'a', ...agent }))
  expect(entered).toEqual({ rooms: [{ ...room('a', ['1', '2']), agents: [agent] }, room('b')] })
  // told again, it is there once
  expect(withEvent(entered.rooms, event('agent.entered', { roomId: 'a', ...agent }))).toEqual(entered)
  expect(
    withEvent(entered.rooms, event('profile.updated', { userId: '17', displayName: 'Notes' })).toRead,
  ).toBe(ALL)
  expect(withEvent(entered.rooms, event('agent.left', { roomId: 'a', botId: '17' }))).toEqual({ rooms })
})
