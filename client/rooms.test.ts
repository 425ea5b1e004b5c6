import type { Member } from '@atrium/contract'
import { expect, it } from 'vitest'
import type { ReceivedEvent } from './realtime.ts'
import { createRooms } from './rooms.ts'
import { fakeLive, fakeOffice } from './tests/fake-office.ts'

const room = (id: string, people: string[] = []) => ({
  ...{
    id,
    name: id,
    metadata: {},
    createdAt: '2026-03-23T08:00:00.000Z',
    agents: [],
    guests: 0,
    recording: false,
  },
  people: people.map((userId) => ({ userId, displayName: `Person ${userId}` })),
  temporary: false,
})
const event = (type: string, data: object) => ({ type, data, scope: 'organization' }) as ReceivedEvent

function office(...rooms: ReturnType<typeof room>[]) {
  const state = { rooms }
  const { client, asked } = fakeOffice({
    '/api/v1/rtc/rooms/list': () => ({ body: { rooms: state.rooms.filter(({ temporary }) => !temporary) } }),
    '/api/v1/rtc/rooms/get': ({ body }) => {
      const found = state.rooms.find(({ id }) => id === body.roomId)
      return found ? { body: { room: found } } : { status: 404, body: { code: 404, message: 'No' } }
    },
  })
  const paths = () => asked.map(({ path }) => path.split('/').at(-1))
  return { state, client, paths, ...fakeLive() }
}

it('reads all once, then one room where a person comes in, and nothing where an event says it all', async () => {
  const { client, state, live, emit, paths } = office(room('a'), room('b', ['1']))
  const rooms = createRooms(client, live)
  await expect.poll(() => rooms.get().loaded).toBe(true)
  state.rooms = [room('a', ['2']), room('b', ['1'])]
  emit('event', event('room.entered', { roomId: 'a', userId: '2' }))
  await expect.poll(() => rooms.room('a')?.people.map(({ displayName }) => displayName)).toEqual(['Person 2'])
  emit('event', event('room.left', { roomId: 'b', userId: '1' }))
  emit('event', event('room.updated', { roomId: 'b', guests: 3 }))
  expect(rooms.room('b')).toMatchObject({ people: [], guests: 3 })
  expect(paths()).toEqual(['list', 'get'])
  rooms.close()
})

it('reads nothing where a member comes in, with name and picture known before', async () => {
  const { client, live, emit, paths } = office(room('a'))
  const member = { id: '2', displayName: 'Person 2', avatarUrl: '', presenceUserId: 'user_2' } as Member
  const rooms = createRooms(client, live, (userId) => (userId === '2' ? member : undefined))
  await expect.poll(() => rooms.get().loaded).toBe(true)
  const entered = { ...event('room.entered', { roomId: 'a', userId: '2' }), time: '2026-03-23T09:00:00.000Z' }
  // told twice, as after a connection that was lost
  for (const told of [entered, entered]) emit('event', told as ReceivedEvent)
  expect(rooms.room('a')?.people).toEqual([
    {
      ...{ userId: '2', presenceUserId: 'user_2', displayName: 'Person 2', avatarUrl: '' },
      ...{ since: '2026-03-23T09:00:00.000Z', microphone: false, camera: false, screen: false },
      ...{ sound: 'off', speaking: false, hand: false },
    },
  ])
  emit('event', event('room.updated', { roomId: 'a', person: { userId: '2', microphone: true } }))
  expect(rooms.room('a')?.people[0]).toMatchObject({ microphone: true, sound: 'published' })
  expect(paths()).toEqual(['list'])
  rooms.close()
})

it('reads again what changes while it is being read', async () => {
  const { client, state, live, emit, paths } = office(room('a', ['1']))
  const rooms = createRooms(client, live)
  // the list that is on its way still names them
  emit('event', event('room.left', { roomId: 'a', userId: '1' }))
  state.rooms = [room('a')]
  await expect.poll(() => rooms.room('a')?.people).toEqual([])
  await expect.poll(paths).toEqual(['list', 'get'])
  expect(rooms.get()).toEqual({ rooms: state.rooms, loaded: true })
  rooms.close()
})

it('has a temporary room, which is in no list, as long as it is there', async () => {
  const { client, state, live, emit } = office(room('a'))
  const rooms = createRooms(client, live)
  await expect.poll(() => rooms.get().loaded).toBe(true)
  const ids = () => rooms.get().rooms.map(({ id }) => id)
  const table = { ...room('table', ['1']), temporary: true }
  state.rooms = [room('a'), table]
  emit('event', event('room.created', { roomId: 'table', temporary: true }))
  await expect.poll(ids).toEqual(['a', 'table'])
  // it stays through every reading of the list
  state.rooms = [room('a'), room('b'), table]
  emit('event', event('room.created', { roomId: 'b', temporary: false }))
  await expect.poll(ids).toEqual(['a', 'b', 'table'])
  // its end is told to the two who were there alone, on a channel of theirs
  state.rooms = [room('a'), room('b')]
  emit('gap', { scope: 'user' })
  await expect.poll(ids).toEqual(['a', 'b'])
  rooms.close()
})

it('looks up a temporary room that was not told of, and hears of no one there before', async () => {
  const table = { ...room('table'), temporary: true }
  const { client, state, live, emit, paths } = office(room('a'), table)
  const rooms = createRooms(client, live)
  await expect.poll(() => rooms.get().loaded).toBe(true)
  rooms.lookUp('a')
  rooms.lookUp('table')
  await expect.poll(() => rooms.room('table')?.people).toEqual([])
  expect(paths()).toEqual(['list', 'get'])
  rooms.close()

  const again = createRooms(client, live)
  await expect.poll(() => again.get().loaded).toBe(true)
  state.rooms = [room('a'), { ...room('table', ['1']), temporary: true }]
  emit('event', event('room.entered', { roomId: 'table', userId: '1' }))
  await expect.poll(() => again.room('table')?.people.length).toBe(1)
  again.close()
})

it('takes out a room that is gone when it is read', async () => {
  const { client, state, live, emit } = office(room('a'), room('b'))
  const rooms = createRooms(client, live)
  await expect.poll(() => rooms.get().loaded).toBe(true)
  state.rooms = [room('b')]
  emit('event', event('room.entered', { roomId: 'a', userId: '2' }))
  await expect.poll(() => rooms.get().rooms.map(({ id }) => id)).toEqual(['b'])
  rooms.close()
})

it('begins anew after a gap and in another organization, and says what went wrong', async () => {
  const { client, state, live, emit } = office(room('a'))
  const rooms = createRooms(client, live)
  await expect.poll(() => rooms.get().loaded).toBe(true)
  state.rooms = [room('c')]
  emit('gap', { scope: 'organization' })
  await expect.poll(() => rooms.get().rooms.map(({ id }) => id)).toEqual(['c'])
  state.rooms = []
  emit('organization', { organizationId: 'org_2' })
  expect(rooms.get()).toEqual({ rooms: [], loaded: false })
  await expect.poll(() => rooms.get().loaded).toBe(true)
  rooms.close()

  const nowhere = createRooms(fakeOffice({}).client, fakeLive().live)
  await expect.poll(() => nowhere.get().error).toMatchObject({ status: 404 })
  nowhere.close()
})
