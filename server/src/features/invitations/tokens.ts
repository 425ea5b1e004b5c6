import type { OrganizationId } from '../../platform/ids.ts'
import {
  type KeyRing,
  openOrNothing,
  type SealingContext,
  seal,
} from '../../platform/secrets/sealed-column.ts'
import { type SealedPlace, sealedColumn } from '../../platform/secrets/sealed-place.ts'
import { hashToken, newToken } from '../../platform/secrets/secret.ts'
import type { StoredLink } from './invite-link-store.ts'

/** Purpose of the key ring that seals tokens which are shown again. */
export const INVITATION_KEYS = 'invitations'

/** For a change of keys, which seals them again. */
export function sealedInvitations(ring: KeyRing): SealedPlace[] {
  return [
    sealedColumn({
      name: 'invite links',
      ring,
      table: 'invite_links',
      column: 'sealed_token',
      key: ['organization_id'],
      contextOf: (row) => linkContext(String(row.organization_id)),
    }),
    sealedColumn({
      name: 'links in mailed invitations',
      ring,
      table: 'invitations',
      column: 'sealed_token',
      key: ['identity_invitation_id'],
      contextOf: (row) => invitationContext(String(row.identity_invitation_id)),
    }),
  ]
}

function linkContext(organization: string): SealingContext {
  return ['invite-link', organization]
}

function invitationContext(invitationId: string): SealingContext {
  return ['invitation', invitationId]
}

/** A fresh token of an organization's invite link, and what is stored of it. */
export function newLinkToken(ring: KeyRing, organization: OrganizationId): StoredLink & { token: string } {
  const token = newToken('join')
  return {
    token,
    tokenHash: hashToken(token),
    sealedToken: seal(ring, token, linkContext(organization)),
  }
}

/** A fresh token of an e-mailed invitation, and what is stored of it. */
export function newInvitationToken(ring: KeyRing, invitationId: string): StoredLink & { token: string } {
  const token = newToken('inv')
  return {
    token,
    tokenHash: hashToken(token),
    sealedToken: seal(ring, token, invitationContext(invitationId)),
  }
}

/** The token of a link; undefined where the key it was sealed with is gone. */
export function openLinkToken(
  ring: KeyRing,
  organization: OrganizationId,
  sealed: Buffer,
): string | undefined {
  return openOrNothing(ring, sealed, linkContext(organization))?.toString()
}

/** The token of an invitation; undefined where the key it was sealed with is gone. */
export function openInvitationToken(ring: KeyRing, invitationId: string, sealed: Buffer): string | undefined {
  return openOrNothing(ring, sealed, invitationContext(invitationId))?.toString()
}

/** The page of the front end for joining by a link. */
export function inviteLinkOf(frontendUrl: string, token: string): string {
  return `${frontendUrl}/join?invite_token=${encodeURIComponent(token)}`
}

/** The page of the front end for accepting an invitation. */
export function invitationUrlOf(frontendUrl: string, token: string): string {
  return `${frontendUrl}/invitation?invitation_token=${encodeURIComponent(token)}`
}
