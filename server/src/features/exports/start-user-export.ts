import type { Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import { requireReachOfAll } from '../../access/sessions/sign-on-reach.ts'
import { type BeginNeeds, beginExport } from './begin-export.ts'

/** Has an archive made of the caller's own. It is of all their organizations: the session has to reach each. */
export async function startUserExport(
  needs: BeginNeeds,
  caller: CallerOf<'startUserExport'>,
): Promise<Reply<'startUserExport'>> {
  await requireReachOfAll(needs.db, caller)
  const exportId = await beginExport(needs, caller, { user: caller.user.id }, async () => {})
  return { status: 202, body: { exportId } }
}
