import type { Role } from '@atrium/contract'
import type { OrganizationRef } from '../../directory/organizations.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { UserId } from '../../platform/ids.ts'

/** What the token of an organization's invite link, or of an e-mailed invitation, leads to. */
export interface Invite {
  kind: 'link' | 'invitation'
  organization: OrganizationRef
  organizationName: string
  /** The role that whoever comes by it is given. */
  role: Role
  /** The only address that may use it: of an e-mailed invitation. */
  email?: string
}

/** `dead`: unknown, or a link that has been reset. `expired`: an invitation that is over or was revoked. */
export type FoundInvite = Invite | 'dead' | 'expired'

/**
 * What sign-in asks of invitations. Features do not import each other, so it is handed in by the composition
 * root, from the `reads.ts` of the feature that owns links and invitations.
 */
export interface Invites {
  /** Opening a link never consumes it. */
  findInvite(token: string): Promise<FoundInvite>
  /**
   * Looks again and uses it up where it can be used once, in the transaction that adds the membership. The row
   * of an invitation is locked, so that it is not accepted twice nor revoked meanwhile.
   */
  redeemInvite(tx: Tx, use: { token: string; user: UserId; email: string }): Promise<FoundInvite>
}

/** Of an office in which nobody invites: every token is dead. */
export const noInvites: Invites = {
  findInvite: async () => 'dead',
  redeemInvite: async () => 'dead',
}
