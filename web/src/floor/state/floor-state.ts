import type { Person } from '@atrium/client/people'
import type { Room } from '@atrium/client/rooms'
import type { AtDoor } from '../../live/doors/at-doors.ts'
import type { ZoneKey } from '../plan/atrium.ts'
import { guest, inRoom, isSame, type Occupant, outsideRooms, withShortNames } from './occupant.ts'

export interface RoomOnFloor {
  room: Room
  /** In the order they came in, guests last. */
  people: readonly Occupant[]
  atDoor: readonly (Occupant & Pick<AtDoor, 'knockId'>)[]
}

export interface FloorState {
  /** In the order of the office. */
  rooms: readonly RoomOnFloor[]
  /** In the atrium, where two talk: they alone are told of it. */
  tables: readonly RoomOnFloor[]
  zones: Readonly<Record<ZoneKey, readonly Occupant[]>>
  counts: { in: number; inRooms: number; offline: number }
}

export const EMPTY_FLOOR: FloorState = {
  rooms: [],
  tables: [],
  zones: { arrivals: [], atrium: [], elsewhere: [], quiet: [] },
  counts: { in: 0, inRooms: 0, offline: 0 },
}

export interface FloorInput {
  people: readonly Person[]
  rooms: readonly Room[]
  atDoors: readonly AtDoor[]
  ownId: string
  /** Who has just come in. */
  arrivals: ReadonlySet<string>
}

/**
 * Whether a room has a place of its own on the plan. A colleague's desk is in the list only while the owner is inside:
 * a plan that had it would move its walls as people come and go. A table for two stands in the atrium.
 */
export function isOnPlan(
  { temporary, ownerId }: Pick<Room, 'temporary' | 'ownerId'>,
  ownId: string,
): boolean {
  return !temporary && (ownerId === null || ownerId === ownId)
}

const roomsById = new WeakMap<readonly RoomOnFloor[], ReadonlyMap<string, RoomOnFloor>>()

/** A room of the floor: asked by each of them, at each change. */
export function roomOnFloor({ rooms }: FloorState, roomId: string): RoomOnFloor | undefined {
  let found = roomsById.get(rooms)
  if (!found) {
    found = new Map(rooms.map((one) => [one.room.id, one]))
    roomsById.set(rooms, found)
  }
  return found.get(roomId)
}

/** Where everybody is, each person once. What has not changed is the same object as before. */
export function floorOf(input: FloorInput, before: FloorState): FloorState {
  const { rooms, atDoors, ownId } = input
  const byId = new Map(input.people.map((person) => [person.id, person]))
  const roomOf = lastRooms(rooms)
  const colleagues = atDoors.filter(({ id, isGuest }) => !isGuest && !roomOf.has(id))
  const waiting = new Set(colleagues.map(({ id }) => id))
  const drawn = (room: Room) => roomNow(room, input, { byId, roomOf, waiting })
  const { inAtrium, here, offline } = outsideOf(input, { byId, roomOf, waiting })
  const zones = zonesOf(inAtrium, input)
  // guests sit in rooms as colleagues do
  const inRooms = roomOf.size + rooms.reduce((sum, { guests }) => sum + guests, 0)
  return {
    rooms: sharedRooms(before.rooms, rooms.filter((room) => isOnPlan(room, ownId)).map(drawn)),
    tables: sharedRooms(before.tables, rooms.filter(({ temporary }) => temporary).map(drawn)),
    zones: {
      arrivals: sharedPeople(before.zones.arrivals, zones.arrivals),
      atrium: sharedPeople(before.zones.atrium, zones.atrium),
      elsewhere: sharedPeople(before.zones.elsewhere, zones.elsewhere),
      quiet: sharedPeople(before.zones.quiet, zones.quiet),
    },
    counts: sharedCounts(before.counts, {
      in: inRooms + here + waiting.size,
      inRooms,
      offline,
    }),
  }
}

interface Known {
  byId: ReadonlyMap<string, Person>
  roomOf: ReadonlyMap<string, string>
  waiting: ReadonlySet<string>
}

/** Who is drawn in the atrium, and how many are there or not. Bots have no place in it, and are in no count: a room that one is in says so. */
function outsideOf({ people, rooms, ownId }: FloorInput, { roomOf, waiting }: Known) {
  const desks = new Set(rooms.filter((room) => !room.temporary && !isOnPlan(room, ownId)).map(({ id }) => id))
  const inAtrium: Person[] = []
  let [here, offline] = [0, 0]
  for (const person of people) {
    if (person.isBot) continue
    const roomId = roomOf.get(person.id)
    if (roomId !== undefined) {
      if (desks.has(roomId)) inAtrium.push(person)
    } else if (!waiting.has(person.id)) {
      const isIn = isHere(person, ownId)
      if (isIn) inAtrium.push(person)
      here += Number(isIn)
      offline += Number(!isIn)
    }
  }
  return { inAtrium, here, offline }
}

function roomNow(room: Room, input: FloorInput, { byId, roomOf, waiting }: Known): RoomOnFloor {
  const inside = room.people.filter(({ userId }) => roomOf.get(userId) === room.id)
  const guests = Array.from({ length: room.guests }, (_, at) => guest(`guest-${room.id}-${at}`, ''))
  return {
    room,
    people: withShortNames([
      ...inside.map((seen) => inRoom(seen, byId.get(seen.userId), input.ownId)),
      ...guests,
    ]),
    atDoor: doorOf(room.id, input, byId, waiting),
  }
}

/** The room that each person came into last: a person may be connected twice. */
function lastRooms(rooms: readonly Room[]): Map<string, string> {
  const last = new Map<string, { roomId: string; since: string }>()
  for (const { id, people } of rooms)
    for (const { userId, since } of people) {
      const known = last.get(userId)
      if (!known || since > known.since) last.set(userId, { roomId: id, since })
    }
  return new Map([...last].map(([userId, { roomId }]) => [userId, roomId]))
}

function doorOf(
  roomId: string,
  { atDoors, ownId }: FloorInput,
  byId: ReadonlyMap<string, Person>,
  waiting: ReadonlySet<string>,
): RoomOnFloor['atDoor'] {
  return atDoors
    .filter((one) => one.roomId === roomId && (one.isGuest || waiting.has(one.id)))
    .map(({ id, name, isGuest, knockId }) => {
      const person = byId.get(id)
      const occupant = person && !isGuest ? outsideRooms(person, ownId) : guest(id, name)
      const [shown = occupant] = withShortNames([{ ...occupant, marks: [] }])
      return { ...shown, ...(knockId === undefined ? {} : { knockId }) }
    })
}

/** Who looks at the floor is there, however they appear to others. */
function isHere({ id, status }: Person, ownId: string): boolean {
  return id === ownId || (status !== 'offline' && status !== 'appear_offline')
}

function zonesOf(
  here: readonly Person[],
  { ownId, arrivals }: FloorInput,
): Record<ZoneKey, readonly Occupant[]> {
  const zones: Record<ZoneKey, Occupant[]> = { arrivals: [], atrium: [], elsewhere: [], quiet: [] }
  // to oneself one has not just come
  const zoneFor = (person: Person) => zoneOf(person, person.id !== ownId && arrivals.has(person.id))
  for (const person of here) zones[zoneFor(person)].push(outsideRooms(person, ownId))
  // the member at this screen comes first, and so has a place where not all have one
  zones.atrium.sort((one, other) => Number(other.isOwn) - Number(one.isOwn))
  return {
    arrivals: withShortNames(zones.arrivals),
    atrium: withShortNames(zones.atrium),
    elsewhere: withShortNames(zones.elsewhere),
    quiet: withShortNames(zones.quiet),
  }
}

function zoneOf({ status, activity }: Person, isArriving: boolean): ZoneKey {
  if (status === 'busy') return 'quiet'
  if (activity === 'in-meeting') return 'elsewhere'
  return isArriving ? 'arrivals' : 'atrium'
}

function sharedRooms(before: readonly RoomOnFloor[], next: readonly RoomOnFloor[]): readonly RoomOnFloor[] {
  const known = new Map(before.map((one) => [one.room.id, one]))
  return sharedList(
    before,
    next.map((one) => sharedRoom(known.get(one.room.id), one)),
  )
}

function sharedCounts(before: FloorState['counts'], next: FloorState['counts']): FloorState['counts'] {
  const isShared = before.in === next.in && before.inRooms === next.inRooms && before.offline === next.offline
  return isShared ? before : next
}

function sharedRoom(before: RoomOnFloor | undefined, next: RoomOnFloor): RoomOnFloor {
  if (!before) return next
  const people = sharedPeople(before.people, next.people)
  const atDoor = sharedList(before.atDoor, next.atDoor, isSame)
  const room = isSameRoom(before.room, next.room) ? before.room : next.room
  const isShared = people === before.people && atDoor === before.atDoor && room === before.room
  return isShared ? before : { room, people, atDoor }
}

/** As far as it is drawn: who is inside is told beside it. */
function isSameRoom(one: Room, other: Room): boolean {
  if (one === other) return true
  const { people: _, ...shown } = one
  const { people: __, ...next } = other
  return JSON.stringify(shown) === JSON.stringify(next)
}

function sharedPeople(before: readonly Occupant[], next: readonly Occupant[]): readonly Occupant[] {
  const known = new Map(before.map((person) => [person.id, person]))
  const shared = next.map((person) => {
    const same = known.get(person.id)
    return same && isSame(same, person) ? same : person
  })
  return sharedList(before, shared)
}

function sharedList<Item>(
  before: readonly Item[],
  next: readonly Item[],
  same: (one: Item, other: Item) => boolean = Object.is,
): readonly Item[] {
  const isShared = before.length === next.length && next.every((item, at) => same(before[at] as Item, item))
  return isShared ? before : next
}
