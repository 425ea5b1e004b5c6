import type { Person } from '@atrium/client/people'
import type { PersonInRoom, Room } from '@atrium/client/rooms'
import { createStore } from '@atrium/client/store'
import { describe, expect, it } from 'vitest'
import type { AtDoor } from '../../live/doors/at-doors.ts'
import { EMPTY_FLOOR, type FloorInput, floorOf } from './floor-state.ts'
import { ARRIVAL_MS, createFloor, type FloorClock } from './floor-store.ts'

const person = (id: string, more: Partial<Person> = {}): Person => ({
  ...{ id, displayName: id, avatarUrl: '', email: `${id}@people.example`, role: 'member' },
  ...{ presenceUserId: `user_${id}`, presenceStatus: 'online', status: 'online' },
  ...more,
})
const inside = (userId: string, more: Partial<PersonInRoom> = {}): PersonInRoom => ({
  ...{ userId, presenceUserId: `user_${userId}`, displayName: userId, avatarUrl: '' },
  ...{ since: '2026-03-23T09:00:00.000Z', microphone: true, camera: false, screen: false },
  ...{ sound: 'on' as const, speaking: false, hand: false },
  ...more,
})
const room = (id: string, people: PersonInRoom[] = [], more: Partial<Room> = {}): Room => ({
  ...{ id, name: id, metadata: {}, kind: 'meeting', seats: 6, locked: false, sealed: false, position: 1_000 },
  ...{
    createdAt: '2026-03-23T08:00:00.000Z',
    people,
    agentDispatch: 'on-request',
    agents: [],
    guests: 0,
    recording: false,
  },
  ...{ temporary: false, ownerId: null },
  ...more,
})
const floor = (input: Partial<FloorInput>, before = EMPTY_FLOOR) =>
  floorOf({ people: [], rooms: [], atDoors: [], ownId: 'me', arrivals: new Set(), ...input }, before)
const names = (all: readonly { id: string }[]) => all.map(({ id }) => id)

describe('where everybody is', () => {
  it('is a room, a part of the atrium, or the count of those who are offline', () => {
    const { rooms, zones, counts } = floor({
      people: [
        person('Ada'),
        person('Ben', { status: 'busy' }),
        person('Cy', { status: 'offline' }),
        person('Di', { status: 'away' }),
        person('Ed', { activity: 'in-meeting' }),
        person('Fay'),
        person('me'),
      ],
      rooms: [room('Kitchen', [inside('Ada')])],
      arrivals: new Set(['Fay']),
    })
    expect(names(rooms[0]?.people ?? [])).toEqual(['Ada'])
    expect(Object.entries(zones).map(([key, people]) => [key, names(people)])).toEqual([
      ['arrivals', ['Fay']],
      ['atrium', ['me', 'Di']],
      ['elsewhere', ['Ed']],
      ['quiet', ['Ben']],
    ])
    expect(counts).toEqual({ in: 6, inRooms: 1, offline: 1 })
  })

  it('is none for bots, who are in no count, and told of by the room', () => {
    const minutes = { botId: 'Minutes', name: 'Minutes', since: '', listens: true, speaks: false }
    const { rooms, zones, counts } = floor({
      people: [
        person('me'),
        person('Minutes', { isBot: true }),
        person('Off', { isBot: true, status: 'offline' }),
      ],
      rooms: [room('Kitchen', [], { agents: [minutes] })],
    })
    expect(rooms).toMatchObject([{ people: [], room: { agents: [{ name: 'Minutes' }] } }])
    expect(names(zones.atrium)).toEqual(['me'])
    expect(counts).toEqual({ in: 1, inRooms: 0, offline: 0 })
  })

  it('is a room for guests, who are counted with the others', () => {
    const { rooms, counts } = floor({
      people: [person('Ada'), person('me')],
      rooms: [room('Kitchen', [inside('Ada')], { guests: 2 })],
    })
    expect(rooms[0]?.people.map(({ isGuest }) => isGuest)).toEqual([false, true, true])
    expect(counts).toEqual({ in: 4, inRooms: 3, offline: 0 })
  })

  it('is one place, also with two connections, and at a door', () => {
    const twice = [
      room('Kitchen', [inside('Ada')]),
      room('Library', [inside('Ada', { since: '2026-03-23T09:05:00.000Z' })]),
    ]
    const atDoors: AtDoor[] = [
      { id: 'Ben', roomId: 'Kitchen', name: 'Ben', isGuest: false, knockId: 'k' },
      { id: 'guest:1', roomId: 'Library', name: 'Grace', isGuest: true },
    ]
    const people = [person('Ada'), person('Ben'), person('me')]
    const { rooms, zones, counts } = floor({ people, rooms: twice, atDoors })
    expect(rooms.map((one) => names(one.people))).toEqual([[], ['Ada']])
    expect(rooms.map(({ atDoor }) => atDoor.map(({ name, isGuest }) => [name, isGuest]))).toEqual([
      [['Ben', false]],
      [['Grace', true]],
    ])
    expect(names(zones.atrium)).toEqual(['me'])
    expect(counts.in).toBe(3)
  })

  it('is a table in the atrium where two talk, and the atrium for people at a desk of their own', () => {
    const own = room('own', [], { kind: 'desk', ownerId: 'me' })
    const others = room('others', [inside('Ada')], { kind: 'desk', ownerId: 'Ada' })
    const table = room('table', [inside('Ben'), inside('me')], { temporary: true })
    const people = [person('Ada'), person('Ben'), person('me')]
    const state = floor({ people, rooms: [own, others, table] })
    expect(state.rooms.map((one) => one.room.id)).toEqual(['own'])
    expect(state.tables.map((one) => names(one.people))).toEqual([['Ben', 'me']])
    expect(names(state.zones.atrium)).toEqual(['Ada'])
    expect(state.counts).toEqual({ in: 3, inRooms: 3, offline: 0 })
  })

  it('is seen by oneself, however one appears', () => {
    const { zones } = floor({ people: [person('me', { status: 'appear_offline' })] })
    expect(names(zones.atrium)).toEqual(['me'])
  })

  it('comes with what one would want to know first, and with first names', () => {
    const { rooms } = floor({
      people: [person('1', { status: 'busy' }), person('2')],
      rooms: [
        room('Kitchen', [
          inside('1', { displayName: 'Mary Jackson', sound: 'muted', camera: true, screen: true }),
          inside('2', { displayName: 'Mary Somerville' }),
          inside('3', { displayName: 'Dr. Grace Hopper' }),
        ]),
      ],
    })
    const [mary] = rooms[0]?.people ?? []
    expect(mary?.marks).toEqual(['screen', 'busy', 'muted', 'camera'])
    expect(rooms[0]?.people.map(({ shortName }) => shortName)).toEqual(['Mary J.', 'Mary S.', 'Grace'])
  })

  it.each([
    [
      ['Mary Jane', 'Mary Joe', 'Mary Somerville'],
      ['Mary Ja.', 'Mary Jo.', 'Mary S.'],
    ],
    [
      ['Mary Jo', 'Mary Joe', 'Mary'],
      ['Mary Jo', 'Mary Joe', 'Mary'],
    ],
    // more letters would not help
    [
      ['Mary Jackson', 'Mary Jackson'],
      ['Mary J.', 'Mary J.'],
    ],
    [
      ['Mary Johnson', 'Mary Johnston'],
      ['Mary J.', 'Mary J.'],
    ],
  ])('is told apart from others of the first name: %s', (displayNames, shortNames) => {
    const people = displayNames.map((displayName, at) => inside(`${at}`, { displayName }))
    const { rooms } = floor({ people: [], rooms: [room('Kitchen', people)] })
    expect(rooms[0]?.people.map(({ shortName }) => shortName)).toEqual(shortNames)
  })
})

describe('a change', () => {
  const many = Array.from({ length: 1_000 }, (_, at) => person(`p${at}`))
  const sixty = Array.from({ length: 60 }, (_, at) =>
    room(`r${at}`, at % 2 === 0 ? [inside(`p${at}`), inside(`p${at + 100}`)] : []),
  )

  it('of one person touches the room they enter and the place they leave, and nothing else', () => {
    const before = floor({ people: many, rooms: sixty })
    const entered = sixty.map((one) =>
      one.id === 'r4' ? { ...one, people: [...one.people, inside('p999')] } : { ...one },
    )
    const after = floor({ people: many.map((one) => ({ ...one })), rooms: entered }, before)
    const changed = after.rooms.filter((one, at) => one !== before.rooms[at])
    expect(changed.map((one) => one.room.id)).toEqual(['r4'])
    // those who were inside are as they were
    expect(changed[0]?.people.slice(0, 2)).toEqual(before.rooms[4]?.people)
    expect(changed[0]?.people[0]).toBe(before.rooms[4]?.people[0])
    expect(after.zones.quiet).toBe(before.zones.quiet)
    expect(after.zones.elsewhere).toBe(before.zones.elsewhere)
    expect(after.zones.atrium).toHaveLength(before.zones.atrium.length - 1)
  })

  it('that is none leaves all of it as it was', () => {
    const before = floor({ people: many, rooms: sixty })
    const after = floor({ people: [...many], rooms: sixty.map((one) => ({ ...one })) }, before)
    expect(after.rooms).toBe(before.rooms)
    expect(after.zones.atrium).toBe(before.zones.atrium)
  })
})

describe('the store of the floor', () => {
  function openFloor(people: Person[]) {
    const frames: (() => void)[] = []
    const timers: { at: number; work: () => void }[] = []
    const time = { now: 0 }
    const clock: FloorClock = {
      nextFrame: (work) => frames.push(work),
      after(ms, work) {
        const timer = { at: time.now + ms, work }
        timers.push(timer)
        return () => timers.splice(timers.indexOf(timer), 1)
      },
      now: () => time.now,
    }
    const sources = {
      people: createStore({ people, loaded: true }),
      rooms: createStore<{ rooms: readonly Room[]; loaded: boolean }>({ rooms: [], loaded: true }),
      atDoors: createStore<readonly AtDoor[]>([]),
      ownId: 'me',
    }
    const opened = createFloor(sources, clock)
    const drawFrame = () => {
      for (const work of frames.splice(0)) work()
    }
    const pass = (ms: number) => {
      time.now += ms
      for (const timer of timers.filter(({ at }) => at <= time.now)) timer.work()
      drawFrame()
    }
    return { floor: opened, sources, drawFrame, pass, frames }
  }

  it('tells of many events once, before a picture is drawn', () => {
    const { floor: opened, sources, drawFrame, frames } = openFloor([person('me')])
    let told = 0
    opened.subscribe(() => (told += 1))
    for (let at = 0; at < 30; at += 1)
      sources.people.set({ people: [person('me'), person(`p${at}`)], loaded: true })
    expect([told, frames.length]).toEqual([0, 1])
    drawFrame()
    expect([told, opened.get().counts.in]).toEqual([1, 2])
  })

  it('knows for a while who has just come in', () => {
    const {
      floor: opened,
      sources,
      drawFrame,
      pass,
    } = openFloor([person('Ada'), person('Ben', { status: 'offline' })])
    expect(opened.get().zones.arrivals).toEqual([])
    sources.people.set({ people: [person('Ada'), person('Ben')], loaded: true })
    drawFrame()
    expect(names(opened.get().zones.arrivals)).toEqual(['Ben'])
    pass(ARRIVAL_MS)
    expect(names(opened.get().zones.arrivals)).toEqual([])
    expect(names(opened.get().zones.atrium)).toEqual(['Ada', 'Ben'])
  })

  it('is rushed while more than twenty people move in a second', () => {
    const { floor: opened, sources, drawFrame, pass } = openFloor([])
    const crowd = Array.from({ length: 21 }, (_, at) => person(`p${at}`))
    sources.people.set({ people: crowd, loaded: true })
    drawFrame()
    expect(opened.isRushed()).toBe(true)
    pass(1_001)
    expect(opened.isRushed()).toBe(false)
  })

  it('says nothing after it was closed', () => {
    const { floor: opened, sources, drawFrame } = openFloor([])
    sources.people.set({ people: [person('Ada')], loaded: true })
    opened.close()
    drawFrame()
    expect(opened.get().counts.in).toBe(0)
  })
})
