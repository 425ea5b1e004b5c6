import type { Rooms } from '@atrium/client/rooms'
import { keepIdsOfPerson, keptIdsOfPerson } from '../of-person.ts'

const NAME = 'tables'

/**
 * Keeps which tables for two this tab knows: no list and no profile has them, and what happened there while the page was
 * loaded anew is told by no event. Each is looked up once as soon as the rooms are read. @returns what ends it
 */
export function keepTables(rooms: Pick<Rooms, 'get' | 'subscribe' | 'lookUp'>): () => void {
  let areLookedUp = false
  const follow = () => {
    const { rooms: known, loaded } = rooms.get()
    if (!loaded) return
    if (areLookedUp)
      return keepIdsOfPerson(
        NAME,
        known.filter(({ temporary }) => temporary).map(({ id }) => id),
      )
    areLookedUp = true
    for (const id of keptIdsOfPerson(NAME)) rooms.lookUp(id)
  }
  follow()
  return rooms.subscribe(follow)
}
