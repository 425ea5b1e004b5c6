import type { MemberCaller } from '../../access/caller.ts'
import { rankOf } from '../../access/permissions.ts'
import { requireMember } from '../../directory/members/require-member.ts'
import type { Db } from '../../platform/database/database.ts'
import type { RoomId, UserId } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { MediaParticipant, MediaPort } from '../../ports/media.ts'
import { type Guest, requireGuestOfRoom } from '../guests/reads.ts'
import { isConnectionOf, requireRoomFor } from '../rooms/reads.ts'

/** Whom a moderator means: exactly one of the two. */
export interface Meant {
  roomId: string
  userId?: string | undefined
  guestIdentity?: string | undefined
}

export interface Found {
  room: RoomId
  /** One of the two. */
  user?: UserId
  guest?: Guest
  /** As the media server has them: some connections of one person, or of one guest. */
  connections: MediaParticipant[]
}

/** A participant of a room of the caller, by their connections. @throws Refusal not-found, not-inside, rank-too-high */
export async function requireInside(
  { db, media }: { db: Db; media: Pick<MediaPort, 'participants'> },
  { organization, user: caller }: MemberCaller,
  { roomId, userId, guestIdentity }: Meant,
): Promise<Found> {
  const room = await requireRoomFor(db, organization.id, { roomId, person: caller.id })
  if (guestIdentity !== undefined) {
    const guest = await requireGuestOfRoom(db, organization.id, { room: room.id, guestIdentity })
    const connections = (await media.participants(room.id)).filter(
      ({ identity, mayPublish }) => identity === guestIdentity && mayPublish,
    )
    return { room: room.id, guest, connections: requireSome(connections) }
  }
  const { id: user, role } = await requireMember(db, organization.id, userId ?? '')
  const connections = (await media.participants(room.id)).filter(({ identity }) =>
    isConnectionOf(identity, user),
  )
  const found = { room: room.id, user, connections: requireSome(connections) }
  if (rankOf(role) > rankOf(organization.role)) throw Refusal.of('rank-too-high')
  return found
}

function requireSome(connections: MediaParticipant[]): MediaParticipant[] {
  if (connections.length === 0) throw Refusal.of('not-inside')
  return connections
}
