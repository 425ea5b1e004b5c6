import { atMedia, type Colleague } from './colleague.ts'
import { enterHeard, type Stage, unlessRefused } from './perform.ts'
import { MEDIA_PEOPLE, MEDIA_ROOM } from './story.ts'

/** Who is in a room, as far as it decides who is heard there. */
export interface Occupied {
  id: string
  people: readonly { userId: string }[]
  guests: number
}

/** A colleague of the cast in a room. */
export interface Seated {
  id: string
  roomId: string
  isHeard: boolean
}

/**
 * Who becomes heard, and who leaves. Beside a visitor no colleague sits who is only drawn: a few become heard and seen, the
 * others leave. Where no visitor is any more, the colleagues who were heard leave as well. In `mediaRoom` all are heard at any
 * time.
 */
export function toReceive(
  rooms: readonly Occupied[],
  seated: readonly Seated[],
  cast: { ids: ReadonlySet<string>; mediaRoom: string },
): { heard: Seated[]; leaving: Seated[] } {
  const heard: Seated[] = []
  const leaving: Seated[] = []
  for (const { id, people, guests } of rooms) {
    if (id === cast.mediaRoom) continue
    const here = seated.filter(({ roomId }) => roomId === id)
    const [already, drawn] = [here.filter(({ isHeard }) => isHeard), here.filter(({ isHeard }) => !isHeard)]
    const isVisited = guests > 0 || people.some(({ userId }) => !cast.ids.has(userId))
    const places = Math.max(0, MEDIA_PEOPLE - already.length)
    heard.push(...(isVisited ? drawn.slice(0, places) : []))
    leaving.push(...(isVisited ? drawn.slice(places) : already))
  }
  return { heard, leaving }
}

let isReceiving = false

/** Looks who has come into rooms beside the cast, and has the colleagues there be heard and seen. */
export async function receiveVisitors(stage: Stage): Promise<void> {
  const [first] = stage.colleagues
  if (isReceiving || !first) return
  isReceiving = true
  try {
    const { rooms } = await first.client.call('listRooms')
    const ids = new Set(stage.colleagues.map(({ id }) => id))
    const seated = stage.colleagues.flatMap(({ id, room }) =>
      room ? [{ id, roomId: room.id, isHeard: room.media !== undefined }] : [],
    )
    const { heard, leaving } = toReceive(rooms, seated, { ids, mediaRoom: stage.rooms[MEDIA_ROOM]?.id ?? '' })
    const colleagueOf = ({ id }: Seated) => stage.colleagues.find((one) => one.id === id)
    for (const one of [...leaving, ...heard]) await leaveRoom(stage, colleagueOf(one))
    for (const one of heard) {
      const colleague = colleagueOf(one)
      // the room may have been locked meanwhile
      if (colleague) await unlessRefused(() => enterHeard(stage, colleague, one.roomId))
    }
  } finally {
    isReceiving = false
  }
}

async function leaveRoom({ url }: Stage, colleague: Colleague | undefined): Promise<void> {
  const room = colleague?.room
  if (!colleague || !room) return
  colleague.room = undefined
  if (room.media) await room.media.leave()
  else await atMedia(url, 'leave', { room: room.id, identity: colleague.id })
}
