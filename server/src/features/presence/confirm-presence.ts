import type { Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import { type ChangeNeeds, changePresence } from './change-presence.ts'

/** The caller's client has a realtime connection: who was offline is online. */
export async function confirmPresence(
  needs: ChangeNeeds,
  caller: CallerOf<'confirmPresence'>,
): Promise<Reply<'confirmPresence'>> {
  const status = await changePresence(needs, caller, { kind: 'connected' })
  return { status: 200, body: { userId: caller.user.identityId, status } }
}
