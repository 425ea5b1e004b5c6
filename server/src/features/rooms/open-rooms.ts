import type { Db } from '../../platform/database/database.ts'
import type { OrganizationId, RoomId } from '../../platform/ids.ts'
import { boundedCache } from '../../platform/limits/bounded-cache.ts'
import type { MediaPort, ParticipantIdentity } from '../../ports/media.ts'
import { openRoom } from './reads.ts'

interface Needs {
  db: Db
  media: Pick<MediaPort, 'openRoom' | 'closeRoom'>
}

interface Entering {
  organization: OrganizationId
  room: RoomId
  identity: ParticipantIdentity
}

export interface OpenRooms {
  /**
   * Makes sure that a room is open for a token that is about to be made.
   * @param afresh asks the media server without regard to what is known
   * @throws Refusal not-found @throws ProviderFailure
   */
  ensure(needs: Needs, entering: Entering, afresh: boolean): Promise<void>
}

/** An empty room stays open for longer, at every media server: its token is used before that. */
const KNOWN_MS = 5_000
const ROOMS_MAX = 10_000

interface Known {
  since: number
  opened: Promise<void>
  /** Had a token since. */
  identities: Set<ParticipantIdentity>
}

/**
 * Rooms that this node has opened a moment ago: of those who enter together the first asks the media server. Nothing is
 * told of one that was closed by a restart of the media server, so the knowledge is never used twice for the same person:
 * a token that did not let them in is followed by one of a room that was opened again.
 * @param now milliseconds of a clock that only goes forward
 */
export function openRooms(now: () => number = () => performance.now()): OpenRooms {
  const known = boundedCache<RoomId, Known>(ROOMS_MAX)
  return {
    async ensure(needs, { organization, room, identity }, afresh) {
      const before = known.get(room)
      if (before && !afresh && now() - before.since < KNOWN_MS && !before.identities.has(identity)) {
        before.identities.add(identity)
        return await before.opened
      }
      const opened = openRoom(needs, organization, room)
      const entry = { since: now(), opened, identities: new Set([identity]) }
      known.set(room, entry)
      try {
        await opened
      } catch (error) {
        if (known.get(room) === entry) known.delete(room)
        throw error
      }
    },
  }
}
