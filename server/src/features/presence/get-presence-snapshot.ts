import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import type { PresenceMirror } from './mirror.ts'
import { visible } from './rules.ts'

interface Needs {
  presenceMirror: Pick<PresenceMirror, 'find'>
}

/** The statuses of people of the active organization, as the caller may see them. */
export async function getPresenceSnapshot(
  needs: Needs,
  caller: CallerOf<'getPresenceSnapshot'>,
  input: Input<'getPresenceSnapshot'>,
): Promise<Reply<'getPresenceSnapshot'>> {
  const found = await needs.presenceMirror.find(caller.organization.id, input.userIds)
  const own = 'user' in caller ? caller.user.identityId : undefined
  const statuses = found.map(({ identityId, status }) => ({
    userId: identityId,
    status: identityId === own ? status : visible(status),
  }))
  return { status: 200, body: { statuses } }
}
