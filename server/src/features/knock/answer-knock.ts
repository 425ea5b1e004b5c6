import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import { type EndKnockNeeds, endBySide } from './end-knock.ts'

/** Answers a knock, in whichever tab it was seen: the first answer counts. */
export async function answerKnock(
  needs: EndKnockNeeds,
  caller: CallerOf<'answerKnock'>,
  { knockId, answer }: Input<'answerKnock'>,
): Promise<Reply<'answerKnock'>> {
  await endBySide(needs, caller, { knockId, side: { to: caller.user.id }, outcome: answer })
  return { status: 204 }
}
