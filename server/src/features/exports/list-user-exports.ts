import type { Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import { requireReachOfAll } from '../../access/sessions/sign-on-reach.ts'
import { type ViewNeeds, viewExports } from './export-view.ts'

/** The caller's own exports. */
export async function listUserExports(
  needs: ViewNeeds,
  caller: CallerOf<'listUserExports'>,
): Promise<Reply<'listUserExports'>> {
  await requireReachOfAll(needs.db, caller)
  return { status: 200, body: { exports: await viewExports(needs, { user: caller.user.id }) } }
}
