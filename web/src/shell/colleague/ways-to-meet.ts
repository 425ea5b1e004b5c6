import type { Person } from '@atrium/client/people'
import type { Room } from '@atrium/client/rooms'

/** The first choice of ways to meet a colleague: its words say what happens. */
export type WayToMeet = 'profile' | 'talk' | 'join' | 'knock-at-room' | 'write'

/**
 * A free colleague in the office: talk. In a room: come in, or knock at its door. A colleague who is busy, elsewhere,
 * away or offline is written to, and all of them are treated alike. So is a bot.
 */
export function firstWay(
  person: Pick<Person, 'id' | 'status' | 'activity' | 'isBot'>,
  room: Pick<Room, 'locked' | 'temporary' | 'people'> | undefined,
  ownId: string,
): WayToMeet {
  if (person.id === ownId) return 'profile'
  if (person.isBot) return 'write'
  if (room) {
    const isInside = room.people.some(({ userId }) => userId === ownId)
    return room.locked && !room.temporary && !isInside ? 'knock-at-room' : 'join'
  }
  return person.status === 'online' && person.activity !== 'in-meeting' ? 'talk' : 'write'
}
