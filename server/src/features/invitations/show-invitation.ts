import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import { findUserById } from '../../directory/users.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { Refusal } from '../../platform/refusal.ts'
import { hashToken } from '../../platform/secrets/secret.ts'
import { shownRole, stateOf } from './rules.ts'
import { findInvitationByToken } from './store.ts'

interface Needs {
  db: Db
  clock: Clock
}

/** Shows the holder of a token what it is for. As often as it is asked: scanners of mails ask too. */
export async function showInvitation(
  needs: Needs,
  _caller: CallerOf<'showInvitation'>,
  input: Input<'showInvitation'>,
): Promise<Reply<'showInvitation'>> {
  const invitation = await findInvitationByToken(needs.db, hashToken(input.token))
  if (!invitation) throw Refusal.of('invitation-not-found')
  const now = needs.clock.now()
  const inviter = await findUserById(needs.db, invitation.inviter)
  return {
    status: 200,
    body: {
      email: invitation.email,
      organizationName: invitation.organization.name,
      inviterName: inviter?.displayName ?? '',
      role: shownRole(invitation, now),
      state: stateOf(invitation, now),
      expiresAt: invitation.expiresAt.toISOString(),
    },
  }
}
