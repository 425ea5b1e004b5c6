import type { PlannedRoom } from './cast.ts'

/** What happens next in the office of the demo: by a seed, so that a day can be seen twice. */
export type Act =
  | { act: 'come' | 'go' | 'leave'; person: number }
  | { act: 'enter'; person: number; room: number }
  | { act: 'share' | 'unshare' | 'camera' | 'hand'; person: number }
  | { act: 'lock'; person: number; locked: boolean }
  | { act: 'status'; person: number; status: 'online' | 'away' | 'busy' }
  | { act: 'write'; person: number; to: number; line: number }
  | { act: 'knock' | 'wave'; person: number; to: number }

/** What is so at one moment, by the numbers of people and rooms. */
export interface Scene {
  here: Set<number>
  /** The room that each person is in. */
  rooms: Map<number, number>
  sharing: Set<number>
  /** Rooms that are locked. */
  locked: Set<number>
}

export interface Cast {
  people: number
  rooms: readonly PlannedRoom[]
  lines: number
}

/** Numbers from 0 to 1 by a seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export function emptyScene(): Scene {
  return { here: new Set(), rooms: new Map(), sharing: new Set(), locked: new Set() }
}

/** The room with sound and pictures of everyone in it: never locked, and never full, as each costs processor time. */
export const MEDIA_ROOM = 0
export const MEDIA_PEOPLE = 3

/** Most of the team is in, and two thirds of them sit in rooms. */
const SHARE_HERE = 0.8
const SHARE_IN_ROOMS = 0.65

/** The next act, which holds in the scene; the scene is as it is after it. */
export function nextAct(scene: Scene, cast: Cast, random: () => number): Act {
  const act = chooseAct(scene, cast, random)
  applyAct(scene, act)
  return act
}

function chooseAct(scene: Scene, cast: Cast, random: () => number): Act {
  const { here, rooms } = scene
  const away = numbers(cast.people).filter((person) => !here.has(person))
  if (here.size < cast.people * SHARE_HERE && away.length > 0 && random() < 0.5)
    return { act: 'come', person: one(away, random) }
  const outside = [...here].filter((person) => !rooms.has(person))
  if (rooms.size < here.size * SHARE_IN_ROOMS && outside.length > 0 && random() < 0.6)
    return { act: 'enter', person: one(outside, random), room: openRoom(scene, cast, random) }
  const inside = [...rooms.keys()]
  const person = one([...here, ...(here.size === 0 ? [0] : [])], random)
  const dice = random()
  if (inside.length > 0 && dice < 0.45) return actInside(scene, one(inside, random), random)
  if (dice < 0.6)
    return { act: 'write', person, to: other(cast, person, random), line: at(cast.lines, random) }
  if (dice < 0.68) return { act: 'wave', person, to: other(cast, person, random) }
  if (dice < 0.76) return { act: 'knock', person, to: other(cast, person, random) }
  if (dice < 0.9) return { act: 'status', person, status: one(['online', 'away', 'busy'], random) }
  if (inside.length > 0 && dice < 0.96) return { act: 'leave', person: one(inside, random) }
  return here.size > cast.people / 2 ? { act: 'go', person } : { act: 'come', person: one(away, random) }
}

function actInside(scene: Scene, person: number, random: () => number): Act {
  const dice = random()
  const room = scene.rooms.get(person) ?? 0
  if (scene.sharing.has(person)) return { act: 'unshare', person }
  if (dice < 0.2) return { act: 'share', person }
  if (dice < 0.5) return { act: 'camera', person }
  if (dice < 0.75) return { act: 'hand', person }
  if (dice < 0.85 && room !== MEDIA_ROOM) return { act: 'lock', person, locked: !scene.locked.has(room) }
  return { act: 'leave', person }
}

function applyAct(scene: Scene, act: Act): void {
  const { here, rooms, sharing, locked } = scene
  const room = rooms.get(act.person)
  if (act.act === 'come') here.add(act.person)
  if (act.act === 'go') here.delete(act.person)
  if (act.act === 'go' || act.act === 'leave') {
    rooms.delete(act.person)
    sharing.delete(act.person)
    if (room !== undefined && ![...rooms.values()].includes(room)) locked.delete(room)
  }
  if (act.act === 'enter') rooms.set(act.person, act.room)
  if (act.act === 'share') sharing.add(act.person)
  if (act.act === 'unshare') sharing.delete(act.person)
  if (act.act === 'lock' && room !== undefined) {
    if (act.locked) locked.add(room)
    else locked.delete(room)
  }
}

/** Where there is a free seat behind an open door; the first room where there is none. */
function openRoom({ rooms, locked }: Scene, cast: Cast, random: () => number): number {
  const taken = Map.groupBy(rooms.values(), (room) => room)
  const isSomewhere = (taken.get(MEDIA_ROOM)?.length ?? 0) >= MEDIA_PEOPLE
  if (!isSomewhere && !locked.has(MEDIA_ROOM)) return MEDIA_ROOM
  const free = numbers(cast.rooms.length).filter(
    (room) =>
      room !== MEDIA_ROOM &&
      !locked.has(room) &&
      (taken.get(room)?.length ?? 0) < (cast.rooms[room]?.seats ?? 0),
  )
  return free.length === 0 ? 0 : one(free, random)
}

function other({ people }: Cast, person: number, random: () => number): number {
  return (person + 1 + at(people - 1, random)) % people
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index)
}

function at(count: number, random: () => number): number {
  return Math.min(count - 1, Math.floor(random() * count))
}

function one<Item>(items: readonly Item[], random: () => number): Item {
  const item = items[at(items.length, random)]
  if (item === undefined) throw new Error('nothing to choose from')
  return item
}
