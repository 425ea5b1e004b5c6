import { eraseFromInvitations } from '../../../features/invitations/erase.ts'
import { INVITATION_KEYS } from '../../../features/invitations/tokens.ts'
import type { KeyRing } from '../../../platform/secrets/sealed-column.ts'
import { keyRingOf } from '../../keys/key-rings.ts'
import type { Opening, Part } from '../../part.ts'
import type { Databases } from '../platform/databases.ts'

export interface Invitations extends Part {
  needs: { invitationRing: KeyRing; invitationsPerEmail: number }
}

export function openInvitations({ config }: Opening, { databases }: { databases: Databases }): Invitations {
  return {
    erasers: [{ name: 'invitations', erase: (person) => eraseFromInvitations(databases.background, person) }],
    needs: {
      invitationRing: keyRingOf(config, INVITATION_KEYS),
      invitationsPerEmail: config.limits.invitationsPerEmail,
    },
  }
}
