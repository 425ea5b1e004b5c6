import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import { type ChangeNeeds, changePresence } from './change-presence.ts'

/** The caller chooses a status for the active organization. */
export async function setPresenceStatus(
  needs: ChangeNeeds,
  caller: CallerOf<'setPresenceStatus'>,
  input: Input<'setPresenceStatus'>,
): Promise<Reply<'setPresenceStatus'>> {
  const status = await changePresence(needs, caller, { kind: 'chosen', status: input.status })
  return { status: 200, body: { userId: caller.user.identityId, status } }
}
