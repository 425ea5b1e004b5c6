import type { OrganizationId } from '../../platform/ids.ts'
import { type KeyRing, open, seal, UnsealError } from '../../platform/secrets/sealed-column.ts'
import { hashToken, newToken } from '../../platform/secrets/secret.ts'
import type { StoredLink } from './invite-link-store.ts'

/** Purpose of the key ring that seals tokens which are shown again. */
export const INVITATION_KEYS = 'invitations'

/** A fresh token of an organization's invite link, and what is stored of it. */
export function newLinkToken(ring: KeyRing, organization: OrganizationId): StoredLink & { token: string } {
  const token = newToken('join')
  return {
    token,
    tokenHash: hashToken(token),
    sealedToken: seal(ring, token, ['invite-link', organization]),
  }
}

/** A fresh token of an e-mailed invitation, and what is stored of it. */
export function newInvitationToken(ring: KeyRing, invitationId: string): StoredLink & { token: string } {
  const token = newToken('inv')
  return {
    token,
    tokenHash: hashToken(token),
    sealedToken: seal(ring, token, ['invitation', invitationId]),
  }
}

/** The token of a link; undefined where the key it was sealed with is gone. */
export function openLinkToken(
  ring: KeyRing,
  organization: OrganizationId,
  sealed: Buffer,
): string | undefined {
  return opened(ring, sealed, ['invite-link', organization])
}

/** The token of an invitation; undefined where the key it was sealed with is gone. */
export function openInvitationToken(ring: KeyRing, invitationId: string, sealed: Buffer): string | undefined {
  return opened(ring, sealed, ['invitation', invitationId])
}

function opened(ring: KeyRing, sealed: Buffer, context: readonly [string, ...string[]]): string | undefined {
  try {
    return open(ring, sealed, context).toString()
  } catch (error) {
    if (error instanceof UnsealError) return undefined
    throw error
  }
}

/** Where the front end lets somebody join by a link. */
export function inviteLinkOf(frontendUrl: string, token: string): string {
  return `${frontendUrl}/join?invite_token=${encodeURIComponent(token)}`
}

/** Where the front end lets somebody accept an invitation. */
export function invitationUrlOf(frontendUrl: string, token: string): string {
  return `${frontendUrl}/invitation?invitation_token=${encodeURIComponent(token)}`
}
