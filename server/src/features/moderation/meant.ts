import type { Role } from '@atrium/contract'
import type { MemberCaller } from '../../access/caller.ts'
import { rankOf } from '../../access/permissions.ts'
import { requireMember } from '../../directory/members/require-member.ts'
import type { Db } from '../../platform/database/database.ts'
import { identityOfGuest, type RoomId, type UserId } from '../../platform/ids.ts'
import { ProviderFailure, Refusal } from '../../platform/refusal.ts'
import type { MediaParticipant, MediaPort } from '../../ports/media.ts'
import { type Guest, requireGuestOfRoom } from '../guests/reads.ts'
import { isConnectionOf, requireRoomFor } from '../rooms/reads.ts'

/** A person or a guest of a room, inside or not. */
export type Meant = { room: RoomId } & ({ user: UserId; role: Role } | { guest: Guest })

/** What a moderator says: a room, and exactly one of the two. @throws Refusal not-found */
export async function requireMeant(
  db: Db,
  { organization, user: caller }: MemberCaller,
  {
    roomId,
    userId,
    guestIdentity,
  }: { roomId: string; userId?: string | undefined; guestIdentity?: string | undefined },
): Promise<Meant> {
  const { id: room } = await requireRoomFor(db, organization.id, { roomId, person: caller.id })
  if (guestIdentity !== undefined)
    return { room, guest: await requireGuestOfRoom(db, organization.id, { room, guestIdentity }) }
  const { id: user, role } = await requireMember(db, organization.id, userId ?? '')
  return { room, user, role }
}

/** Of a participant, where the word alone says it of the caller. */
export function notInside(): Refusal {
  return Refusal.of('not-inside', { message: 'They are not in this room any more' })
}

/** @throws Refusal rank-too-high */
export function requireRank({ organization }: MemberCaller, role: Role): void {
  if (rankOf(role) > rankOf(organization.role)) throw Refusal.of('rank-too-high')
}

/** Connections of a guest count from their admission. @throws ProviderFailure */
export async function connectionsOf(
  media: Pick<MediaPort, 'participants'>,
  meant: Meant,
): Promise<MediaParticipant[]> {
  const isTheirs = ({ identity, mayPublish }: MediaParticipant) =>
    'guest' in meant
      ? identity === identityOfGuest(meant.guest.id) && mayPublish
      : isConnectionOf(identity, meant.user)
  return (await media.participants(meant.room)).filter(isTheirs)
}

/** Whether a guest is in the room: as the media server says, and where it cannot say, as they were let in. */
export async function isGuestInsideNow(
  media: Pick<MediaPort, 'participants'>,
  guest: Guest,
): Promise<boolean> {
  try {
    return (await connectionsOf(media, { room: guest.room, guest })).length > 0
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    return guest.state === 'admitted'
  }
}
