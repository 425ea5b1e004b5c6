import type { Room } from '@atrium/client/rooms'
import { createStore } from '@atrium/client/store'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { keepTables } from './kept-tables.ts'

const KITCHEN = { id: 'kitchen', temporary: false } as Room
const TABLE = { id: 'table', temporary: true } as Room

let setItem: ReturnType<typeof vi.fn>
beforeEach(() => {
  const kept = new Map<string, string>()
  setItem = vi.fn((key: string, value: string) => kept.set(key, value))
  vi.stubGlobal('sessionStorage', { getItem: (key: string) => kept.get(key) ?? null, setItem })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

/** A page as it is loaded. */
function openPage() {
  const rooms = createStore<{ rooms: Room[]; loaded: boolean }>({ rooms: [], loaded: false })
  const asked: string[] = []
  keepTables({ ...rooms, lookUp: (roomId) => asked.push(roomId) })
  return { rooms, asked }
}

it('looks up after a reload the table that the page knew before, once the rooms are read', () => {
  const before = openPage()
  before.rooms.set({ rooms: [KITCHEN], loaded: true })
  before.rooms.set({ rooms: [KITCHEN, TABLE], loaded: true })
  const after = openPage()
  expect(after.asked).toEqual([])
  after.rooms.set({ rooms: [KITCHEN], loaded: true })
  after.rooms.set({ rooms: [KITCHEN, TABLE], loaded: true })
  expect(after.asked).toEqual(['table'])
})

it('forgets a table that is gone', () => {
  const before = openPage()
  before.rooms.set({ rooms: [KITCHEN], loaded: true })
  before.rooms.set({ rooms: [KITCHEN, TABLE], loaded: true })
  before.rooms.set({ rooms: [KITCHEN], loaded: true })
  const after = openPage()
  after.rooms.set({ rooms: [KITCHEN], loaded: true })
  expect(after.asked).toEqual([])
})

it('writes nothing while no table comes or goes, however often people speak in a room', () => {
  const { rooms } = openPage()
  rooms.set({ rooms: [KITCHEN, TABLE], loaded: true })
  for (let words = 0; words < 10; words += 1) rooms.set({ rooms: [{ ...KITCHEN }, TABLE], loaded: true })
  expect(setItem).toHaveBeenCalledTimes(1)
})
