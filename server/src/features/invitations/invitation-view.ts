import type { Invitation } from '@atrium/contract'
import type { IdentityOrganizationId } from '../../platform/ids.ts'
import type { KeyRing } from '../../platform/secrets/sealed-column.ts'
import { shownRole, stateOf } from './rules.ts'
import type { InvitationRecord } from './store.ts'
import { invitationUrlOf, openInvitationToken } from './tokens.ts'

export interface InvitationViewNeeds {
  invitationRing: KeyRing
  frontendUrl: string
}

/** An invitation as the wire shows it; its token only to those who may invite. */
export function invitationView(
  needs: InvitationViewNeeds,
  invitation: InvitationRecord,
  shown: { organization: IdentityOrganizationId; withToken: boolean; now: Date },
): Invitation {
  const { id, sealedToken } = invitation
  const token = shown.withToken ? openInvitationToken(needs.invitationRing, id, sealedToken) : undefined
  return {
    id,
    email: invitation.email,
    role: shownRole(invitation, shown.now),
    state: stateOf(invitation, shown.now),
    acceptedAt: invitation.acceptedAt?.toISOString() ?? null,
    revokedAt: invitation.revokedAt?.toISOString() ?? null,
    token: token ?? '',
    acceptInvitationUrl: token ? invitationUrlOf(needs.frontendUrl, token) : '',
    organizationId: shown.organization,
    inviterUserId: invitation.inviter,
    expiresAt: invitation.expiresAt.toISOString(),
    createdAt: invitation.createdAt.toISOString(),
    updatedAt: invitation.updatedAt.toISOString(),
  }
}
