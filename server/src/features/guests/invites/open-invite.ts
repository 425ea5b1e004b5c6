import { isMemberSince } from '../../../directory/members/memberships.ts'
import { findOrganizationById } from '../../../directory/organizations.ts'
import type { Db } from '../../../platform/database/database.ts'
import { trusted } from '../../../platform/ids.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { KeyRing } from '../../../platform/secrets/sealed-column.ts'
import { openToken } from '../../../platform/secrets/sealed-token.ts'
import { noSuchRoom, requireRoom } from '../../rooms/reads.ts'
import type { Guest } from '../store.ts'
import { type GuestInvite, isRevoked } from './invite-store.ts'
import { GUEST_INVITE } from './invite-token.ts'

export interface OpenedInvite extends GuestInvite {
  roomName: string
}

/**
 * What the token in a link for guests allows, where it works. A link's validity is for asking: an admitted guest opens
 * it as long as their stay lasts.
 * @param place what the browser holds of this link
 * @throws Refusal invalid where it was tampered with, gone where it has ended, not-found where its room has
 */
export async function openInvite(
  { db, guestRing }: { db: Db; guestRing: KeyRing },
  token: string,
  { now, place }: { now: Date; place: Pick<Guest, 'state'> | undefined },
): Promise<OpenedInvite> {
  const isIn = place?.state === 'admitted'
  const opened = await openToken(guestRing, GUEST_INVITE, token, isIn ? 'whenever' : now)
  const { claims, id, issuedAt, expiresAt } = opened
  const organization = trusted.organizationId(claims.organization)
  const room = await requireRoom(db, organization, claims.room)
  if (!(await findOrganizationById(db, organization))) throw noSuchRoom()
  const createdBy = trusted.userId(claims.invitedBy)
  if (!isIn && !(await isMemberSince(db, organization, createdBy, issuedAt)))
    throw Refusal.of('gone', {
      message: 'This link no longer works: whoever made it has left the organization',
    })
  if (!isIn && (await isRevoked(db, organization, id))) throw revoked()
  return {
    id,
    organization,
    room: room.id,
    roomName: room.name,
    createdBy,
    createdAt: issuedAt,
    expiresAt,
    allowAll: claims.allowAll,
    allowedAdmins: claims.allowedAdmins.map(trusted.userId),
  }
}

/** The link was ended before its time. */
export function revoked(): Refusal {
  return Refusal.of('gone', { message: 'This link no longer works: it was revoked' })
}
