import type { Person } from '@atrium/client/people'
import type { Room } from '@atrium/client/rooms'
import { createStore } from '@atrium/client/store'
import { expect, it } from 'vitest'
import { findTables } from './find-tables.ts'

it('asks once for a room that a person is in and no list has', () => {
  const inside = (roomId?: string) => ({ id: roomId ?? 'nowhere', roomId }) as Person
  const people = createStore<{ people: Person[]; loaded: boolean }>({
    people: [inside('table')],
    loaded: true,
  })
  const rooms = createStore<{ rooms: Room[]; loaded: boolean }>({ rooms: [], loaded: false })
  const asked: string[] = []
  const end = findTables(people, { ...rooms, lookUp: (roomId) => asked.push(roomId) })
  // until the rooms are read, it is unknown which are missing
  expect(asked).toEqual([])
  rooms.set({ rooms: [{ id: 'kitchen' } as Room], loaded: true })
  people.set({ people: [inside('table'), inside('kitchen'), inside()], loaded: true })
  expect(asked).toEqual(['table'])
  end()
  people.set({ people: [inside('other')], loaded: true })
  expect(asked).toEqual(['table'])
})
