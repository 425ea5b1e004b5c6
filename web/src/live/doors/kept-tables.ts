import type { Rooms } from '@atrium/client/rooms'
import { keepIdsOfPerson, keptIdsOfPerson } from '../of-person.ts'

const NAME = 'tables'

/**
 * Keeps which tables for two this tab knows: no list and no profile has them, and what happened there while the page was
 * loaded anew is told by no event. Each is looked up once as soon as the rooms are read. @returns what ends it
 */
export function keepTables(rooms: Pick<Rooms, 'get' | 'subscribe' | 'lookUp'>): () => void {
  let areLookedUp = false
  let keptIds: string | undefined
  const follow = () => {
    const { rooms: known, loaded } = rooms.get()
    if (!loaded) return
    if (!areLookedUp) {
      areLookedUp = true
      for (const id of keptIdsOfPerson(NAME)) rooms.lookUp(id)
      return
    }
    const ids = known.filter(({ temporary }) => temporary).map(({ id }) => id)
    // rooms change with every word that is spoken in them: what is kept changes seldom
    if (String(ids) === keptIds) return
    keptIds = String(ids)
    keepIdsOfPerson(NAME, ids)
  }
  follow()
  return rooms.subscribe(follow)
}
