import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import { type PresenceOf, toMemberView } from '../../directory/members/member-view.ts'
import { requireMember } from '../../directory/members/require-member.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { viewerOf } from './viewer.ts'

interface Needs {
  db: Db
  clock: Clock
  presenceOf: PresenceOf
  imageBaseUrl: string
}

/** One member of the active organization; who is in no list here is not found. */
export async function getMember(
  needs: Needs,
  caller: CallerOf<'getMember'>,
  input: Input<'getMember'>,
): Promise<Reply<'getMember'>> {
  const { id: organization } = caller.organization
  const member = await requireMember(needs.db, organization, input.id)
  const presence = await needs.presenceOf(needs.db, organization, [member.id], viewerOf(caller, needs.clock))
  return { status: 200, body: toMemberView(member, presence, needs.imageBaseUrl) }
}
