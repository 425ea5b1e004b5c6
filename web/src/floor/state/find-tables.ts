import type { People } from '@atrium/client/people'
import type { Rooms } from '@atrium/client/rooms'

/**
 * Looks for the rooms that people are in and no list has: tables for two, after the page was loaded anew. Each is asked
 * for once. @returns what ends it
 */
export function findTables(
  people: Pick<People, 'get' | 'subscribe'>,
  rooms: Pick<Rooms, 'get' | 'subscribe' | 'lookUp'>,
): () => void {
  const lookups = new Set<string>()
  const look = () => {
    const { rooms: known, loaded } = rooms.get()
    if (!loaded) return
    for (const { roomId } of people.get().people) {
      if (roomId === undefined || lookups.has(roomId) || known.some(({ id }) => id === roomId)) continue
      lookups.add(roomId)
      rooms.lookUp(roomId)
    }
  }
  look()
  const ends = [people.subscribe(look), rooms.subscribe(look)]
  return () => {
    for (const end of ends) end()
  }
}
