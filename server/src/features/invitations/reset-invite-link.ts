import type { Reply } from '@atrium/contract'
import { recordAudit } from '../../access/audit/audit-trail.ts'
import type { CallerOf, MemberCaller } from '../../access/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import type { KeyRing } from '../../platform/secrets/sealed-column.ts'
import { replaceLink } from './invite-link-store.ts'
import { inviteLinkOf, newLinkToken } from './tokens.ts'

interface Needs {
  db: Db
  clock: Clock
  invitationRing: KeyRing
  frontendUrl: string
}

/** Puts a new invite link in place of the one there is, which is invalid from that moment on. */
export async function resetInviteLink(
  needs: Needs,
  caller: CallerOf<'resetInviteLink'>,
): Promise<Reply<'resetInviteLink'>> {
  const token = await replaceInviteLink(needs, caller)
  return { status: 200, body: { inviteLink: inviteLinkOf(needs.frontendUrl, token) } }
}

/** The token of the new link. */
export async function replaceInviteLink(
  needs: Pick<Needs, 'db' | 'clock' | 'invitationRing'>,
  caller: MemberCaller,
): Promise<string> {
  const { id, identityId } = caller.organization
  const now = needs.clock.now()
  const link = newLinkToken(needs.invitationRing, id)
  await transaction(needs.db, async (tx) => {
    await replaceLink(tx, id, link, now)
    await recordAudit(tx, id, caller, now, {
      action: 'invite-link.reset',
      target: { kind: 'invite-link', id: identityId },
    })
  })
  return link.token
}
