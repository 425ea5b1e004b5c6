import { INVITATION_KEYS } from '../features/invitations/tokens.ts'
import type { KeyRing } from '../platform/secrets/sealed-column.ts'
import { keyRingOf } from './key-rings.ts'
import type { Opening, Part } from './part.ts'

export interface Invitations extends Part {
  needs: { invitationRing: KeyRing; invitationsPerEmail: number }
}

export function openInvitations({ config }: Opening): Invitations {
  return {
    needs: {
      invitationRing: keyRingOf(config, INVITATION_KEYS),
      invitationsPerEmail: config.limits.invitationsPerEmail,
    },
  }
}
