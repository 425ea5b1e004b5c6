import type { Export, Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import { requireReachOfAll } from '../../access/sessions/sign-on-reach.ts'
import { type ViewNeeds, viewExports } from './export-view.ts'

/**
 * The caller's own exports. An archive is of the organizations that they were in when it was made: as long as it can be
 * fetched, the session has to reach those too.
 */
export async function listUserExports(
  needs: ViewNeeds,
  caller: CallerOf<'listUserExports'>,
): Promise<Reply<'listUserExports'>> {
  const exports = await viewExports(needs, { user: caller.user.id })
  await requireReachOfAll(needs.db, caller, beginOfOldest(exports))
  return { status: 200, body: { exports } }
}

/** When the oldest was started of those that are given with an address. They come newest first. */
function beginOfOldest(exports: readonly Export[]): Date | undefined {
  const oldest = exports.findLast(({ downloadUrl }) => downloadUrl !== undefined)
  return oldest && new Date(oldest.startedAt)
}
