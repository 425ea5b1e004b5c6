import type { Reply } from '@atrium/contract'
import { recordAudit } from '../../access/audit/audit-trail.ts'
import type { CallerOf } from '../../access/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { KeyRing } from '../../platform/secrets/sealed-column.ts'
import { insertLink, readSealedLink } from './invite-link-store.ts'
import { replaceInviteLink } from './reset-invite-link.ts'
import { inviteLinkOf, newLinkToken, openLinkToken } from './tokens.ts'

interface Needs {
  db: Db
  clock: Clock
  invitationRing: KeyRing
  frontendUrl: string
}

/**
 * The organization's invite link, made when it is first asked for.
 * @throws Refusal conflict where no key opens it: it goes on working for its holders, so nothing replaces it unasked
 */
export async function getInviteLink(
  needs: Needs,
  caller: CallerOf<'getInviteLink'>,
): Promise<Reply<'getInviteLink'>> {
  const token = (await readToken(needs, caller)) ?? (await makeToken(needs, caller))
  return { status: 200, body: { inviteLink: inviteLinkOf(needs.frontendUrl, token) } }
}

/** @returns undefined where there is none yet */
async function readToken(needs: Needs, caller: CallerOf<'getInviteLink'>): Promise<string | undefined> {
  const { id } = caller.organization
  const sealed = await readSealedLink(needs.db, id)
  if (!sealed) return undefined
  const token = openLinkToken(needs.invitationRing, id, sealed)
  if (token !== undefined) return token
  throw Refusal.of('conflict', {
    message:
      'The invite link cannot be shown: the key that it was sealed with is gone. Reset it to get another one; until then it works for whoever has it',
    detail: 'SECRET_KEY_PREVIOUS',
  })
}

async function makeToken(needs: Needs, caller: CallerOf<'getInviteLink'>): Promise<string> {
  const { id, identityId } = caller.organization
  const now = needs.clock.now()
  const link = newLinkToken(needs.invitationRing, id)
  const made = await transaction(needs.db, async (tx) => {
    if (!(await insertLink(tx, id, link, now))) return false
    await recordAudit(tx, id, caller, now, {
      action: 'invite-link.created',
      target: { kind: 'invite-link', id: identityId },
    })
    return true
  })
  if (made) return link.token
  // another request has made it meanwhile
  return (await readToken(needs, caller)) ?? (await replaceInviteLink(needs, caller))
}
