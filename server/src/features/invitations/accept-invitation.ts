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
  const { organization } = await joinBy(needs, caller, (tx, now) =>
    acceptInvite(tx, input.token, caller, now),
  )
  const member = await findMember(needs.db, organization.id, caller.user.id)
  // removed in the moment after
  if (!member) throw Refusal.of('not-a-member')
  const presence = await needs.presenceOf(needs.db, organization.id, [member.id], {
    viewer: caller.user.id,
    now: needs.clock.now(),
  })
  return { status: 200, body: toMemberView(member, presence, needs.imageBaseUrl) }
}

/** Joins the caller by whichever invite, and lets their session work there where it works nowhere yet. */
export async function joinBy(
  needs: Pick<Needs, 'db' | 'clock' | 'callers'>,
  caller: SignedInCaller,
  accept: (tx: Tx, now: Date) => Promise<Joined | InviteFault>,
  refuse: (fault: InviteFault) => Refusal = inviteRefusal,
): Promise<Joined> {
  const joined = await transaction(needs.db, async (tx) => {
    const now = needs.clock.now()
    const outcome = await accept(tx, now)
    // refused below: that somebody was kept out stays written down
    if (typeof outcome === 'string') return outcome
    await requireReach(tx, caller, outcome.organization.id)
    await enterWhereNone(tx, caller, outcome.organization, now)
    return outcome
  })
  if (typeof joined === 'string') throw refuse(joined)
  needs.callers.forget(caller.user.id)
  return joined
}
