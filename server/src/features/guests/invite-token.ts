import { Type } from 'typebox'
import type { TokenPurpose } from '../../platform/secrets/sealed-token.ts'

/** Purpose of the key ring that seals the links of guests. */
export const GUEST_KEYS = 'guest-invites'

/** What the link of a guest carries, readable to nobody but us. Ids are our own. */
const InviteClaims = Type.Object({
  organization: Type.String(),
  room: Type.String(),
  invitedBy: Type.String(),
  allowAll: Type.Boolean(),
  allowedAdmins: Type.Array(Type.String()),
})

export const GUEST_INVITE: TokenPurpose<typeof InviteClaims> = { name: 'guest-invite', claims: InviteClaims }

/** Where the front end lets a guest in. */
export function guestUrlOf(frontendUrl: string, token: string): string {
  return `${frontendUrl}/guest?invite_token=${encodeURIComponent(token)}`
}
