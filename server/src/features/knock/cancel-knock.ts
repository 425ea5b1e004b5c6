import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import { type EndKnockNeeds, endBySide } from './end-knock.ts'

/** Takes a knock of the caller's own back. */
export async function cancelKnock(
  needs: EndKnockNeeds,
  caller: CallerOf<'cancelKnock'>,
  { knockId }: Input<'cancelKnock'>,
): Promise<Reply<'cancelKnock'>> {
  await endBySide(needs, caller, { knockId, side: { from: caller.user.id }, outcome: 'cancelled' })
  return { status: 204 }
}
