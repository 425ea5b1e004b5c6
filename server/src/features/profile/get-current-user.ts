import type { Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import { readUser, type UserViewNeeds } from './user-view.ts'

/** The caller's own profile; also under its earlier path (`getUserInfo`). */
export async function getCurrentUser(
  needs: UserViewNeeds,
  caller: CallerOf<'getCurrentUser'>,
): Promise<Reply<'getCurrentUser'>> {
  return { status: 200, body: await readUser(needs, caller) }
}
