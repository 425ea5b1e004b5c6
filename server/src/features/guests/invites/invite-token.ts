import { sql } from 'kysely'
import { fits, type Static, Type } from '../../../platform/schema.ts'
import type { KeyRing } from '../../../platform/secrets/sealed-column.ts'
import type { SealedPlace } from '../../../platform/secrets/sealed-place.ts'
import type { TokenPurpose } from '../../../platform/secrets/sealed-token.ts'

/** Purpose of the key ring that seals the links of guests. */
export const GUEST_KEYS = 'guest-invites'

/** What the link of a guest carries, readable to the office alone. Ids are our own. */
const Claims = Type.Object({
  organization: Type.String(),
  room: Type.String(),
  invitedBy: Type.String(),
  allowAll: Type.Boolean(),
  allowedAdmins: Type.Array(Type.String()),
})

export const GUEST_INVITE: TokenPurpose<Static<typeof Claims>> = {
  name: 'guest-invite',
  isClaims: (value) => fits(Claims, value),
}

/** For the count of what a key still opens. The links themselves are with those who were sent them. */
export function sealedGuestLinks(ring: KeyRing): SealedPlace {
  return {
    name: 'links for guests',
    ring,
    table: 'guest_invites',
    keyId: sql<string | null>`case when revoked_at is null then sealed_with end`,
    endsAt: sql<Date>`expires_at`,
  }
}

/** Where the front end lets a guest in. */
export function guestUrlOf(frontendUrl: string, token: string): string {
  return `${frontendUrl}/guest?invite_token=${encodeURIComponent(token)}`
}
