import type { Input, Reply } from '@atrium/contract'
import type { CallerOf, SignedInCaller } from '../../access/caller.ts'
import type { KnownCallers } from '../../access/sessions/known-callers.ts'
import { enterWhereNone, requireReach } from '../../access/sessions/sign-on-reach.ts'
import { type PresenceOf, toMemberView } from '../../directory/members/member-view.ts'
import { findMember } from '../../directory/members/members.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { Refusal } from '../../platform/refusal.ts'
import { hashToken } from '../../platform/secrets/secret.ts'
import { acceptInvite, type Joined } from './reads.ts'
import { type InviteFault, inviteRefusal } from './rules.ts'
import { findInvitationByToken } from './store.ts'

interface Needs {
  db: Db
  clock: Clock
  callers: Pick<KnownCallers, 'forget'>
  presenceOf: PresenceOf
  imageBaseUrl: string
}

/** Makes the caller a member by an invitation that was mailed to their address. */
export async function acceptInvitation(
  needs: Needs,
  caller: CallerOf<'acceptInvitation'>,
  input: Input<'acceptInvitation'>,
): Promise<Reply<'acceptInvitation'>> {
  // the token of an organization's link is for joinOrganization
  if (!(await findInvitationByToken(needs.db, hashToken(input.token)))) throw inviteRefusal('unknown')
  const accept = (tx: Tx, now: Date) => acceptInvite(tx, input.token, caller, now)
  const body = await joinBy(needs, caller, accept, async (tx, { organization }) => {
    const member = await findMember(tx, organization.id, caller.user.id)
    if (!member) throw Refusal.of('not-a-member')
    const as = { viewer: caller.user.id, now: needs.clock.now() }
    const presence = await needs.presenceOf(tx, organization.id, [member.id], as)
    return toMemberView(member, presence, needs.imageBaseUrl)
  })
  return { status: 200, body }
}

/**
 * Joins the caller by whichever invite, and lets their session work there where it works nowhere yet.
 * @param answer reads the answer, in the transaction of the change
 */
export async function joinBy<Answer>(
  needs: Pick<Needs, 'db' | 'clock' | 'callers'>,
  caller: SignedInCaller,
  accept: (tx: Tx, now: Date) => Promise<Joined | InviteFault>,
  answer: (tx: Tx, joined: Joined) => Promise<Answer>,
  refuse: (fault: InviteFault) => Refusal = inviteRefusal,
): Promise<Answer> {
  const joined = await transaction(needs.db, async (tx) => {
    const now = needs.clock.now()
    const outcome = await accept(tx, now)
    // refused below: the trail keeps that a user was kept out
    if (typeof outcome === 'string') return { refused: outcome }
    await requireReach(tx, caller, outcome.organization.id)
    await enterWhereNone(tx, caller, outcome.organization, now)
    return { answer: await answer(tx, outcome) }
  })
  if ('refused' in joined) throw refuse(joined.refused)
  needs.callers.forget(caller.user.id)
  return joined.answer
}
