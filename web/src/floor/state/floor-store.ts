import type { Person } from '@atrium/client/people'
import type { Room } from '@atrium/client/rooms'
import { createStore, type Store } from '@atrium/client/store'
import type { AtDoor } from '../../live/doors/at-doors.ts'
import { EMPTY_FLOOR, type FloorState, floorOf } from './floor-state.ts'
import type { Occupant } from './occupant.ts'

export interface FloorSources {
  people: Store<{ people: readonly Person[]; loaded: boolean }>
  rooms: Store<{ rooms: readonly Room[]; loaded: boolean }>
  atDoors: Store<readonly AtDoor[]>
  ownId: string
}

export interface Floor extends Store<FloorState> {
  /** So many people move that the eye cannot follow: they jump instead of walking. */
  isRushed(): boolean
  close(): void
}

export interface FloorClock {
  /** Calls back before the next picture is drawn. */
  nextFrame(work: () => void): void
  after(ms: number, work: () => void): () => void
  now(): number
}

/** How long a person counts as having just come in. */
export const ARRIVAL_MS = 90_000
/** More moves in a second are not walked. */
const WALKS_MOST = 20

const BROWSER_CLOCK: FloorClock = {
  nextFrame: (work) => void requestAnimationFrame(work),
  after(ms, work) {
    const timer = setTimeout(work, ms)
    return () => clearTimeout(timer)
  },
  now: () => performance.now(),
}

/** Follows who is where. However many events come before a picture is drawn, it is thought through once. */
export function createFloor(sources: FloorSources, clock: FloorClock = BROWSER_CLOCK): Floor {
  const { people, rooms, atDoors, ownId } = sources
  const arrivals = createArrivals(clock, () => gather())
  const moves: number[] = []
  const next = (before: FloorState) =>
    floorOf(
      {
        people: people.get().people,
        rooms: rooms.get().rooms,
        atDoors: atDoors.get(),
        ...{ ownId, arrivals: arrivals.look(people.get()) },
      },
      before,
    )
  const store = createStore(next(EMPTY_FLOOR))
  let isGathering = false
  let closed = false
  const gather = () => {
    if (isGathering || closed) return
    isGathering = true
    clock.nextFrame(() => {
      isGathering = false
      if (closed) return
      const before = store.get()
      const after = next(before)
      for (let count = movesBetween(before, after); count > 0; count -= 1) moves.push(clock.now())
      store.set(after)
    })
  }
  const ends = [people, rooms, atDoors].map((source) => source.subscribe(gather))
  return {
    get: store.get,
    subscribe: store.subscribe,
    isRushed() {
      while ((moves[0] ?? Number.POSITIVE_INFINITY) < clock.now() - 1_000) moves.shift()
      return moves.length > WALKS_MOST
    },
    close() {
      closed = true
      arrivals.close()
      for (const end of ends) end()
    },
  }
}

/** Who was offline a moment ago, and is not any more. Of whom nothing was known before, nothing is said. */
function createArrivals(clock: FloorClock, onEnd: () => void) {
  let seen: readonly Person[] = []
  let wasHere = new Map<string, boolean>()
  const arrived = new Map<string, () => void>()
  return {
    look({ people, loaded }: { people: readonly Person[]; loaded: boolean }): ReadonlySet<string> {
      if (!loaded) return new Set()
      if (people === seen) return new Set(arrived.keys())
      seen = people
      const isHere = new Map(people.map(({ id, status }) => [id, status !== 'offline']))
      for (const [id, here] of isHere) {
        if (here && wasHere.get(id) === false && !arrived.has(id))
          arrived.set(
            id,
            clock.after(ARRIVAL_MS, () => arrived.delete(id) && onEnd()),
          )
        if (here) continue
        arrived.get(id)?.()
        arrived.delete(id)
      }
      wasHere = isHere
      return new Set(arrived.keys())
    },
    close() {
      for (const end of arrived.values()) end()
    },
  }
}

/** A place with the same list of people as before is not looked into. */
function movesBetween(before: FloorState, after: FloorState): number {
  const known = new Map(placesOf(before))
  let moves = 0
  for (const [place, people] of placesOf(after)) {
    const were = known.get(place)
    if (were === people) continue
    const ids = new Set(were?.map(({ id }) => id))
    moves += people.filter(({ id }) => !ids.has(id)).length
  }
  return moves
}

function placesOf({ rooms, tables, zones }: FloorState): (readonly [string, readonly Occupant[]])[] {
  return [
    ...[...rooms, ...tables].map(({ room, people }) => [room.id, people] as const),
    ...Object.entries(zones),
  ]
}
