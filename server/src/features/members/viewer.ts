import type { CallerOf } from '../../access/caller.ts'
import type { MemberViewer } from '../../directory/members/member-view.ts'
import type { Clock } from '../../platform/clock.ts'

/** Who looks at members: a person, or a program, which is none of them. */
export function viewerOf(caller: CallerOf<'listMembers' | 'getMember'>, clock: Clock): MemberViewer {
  return { viewer: 'user' in caller ? caller.user.id : undefined, now: clock.now() }
}
