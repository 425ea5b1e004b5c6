import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import { requireName } from '../../directory/display-name.ts'
import { renameUser } from '../../directory/users.ts'
import { readUser, type UserViewNeeds } from './user-view.ts'

const DISPLAY_NAME_LENGTHS = { min: 2, max: 100 }

/** Changes the name that others see. */
export async function updateProfile(
  needs: UserViewNeeds,
  caller: CallerOf<'updateProfile'>,
  input: Input<'updateProfile'>,
): Promise<Reply<'updateProfile'>> {
  const displayName = requireName(input.displayName, 'displayName', DISPLAY_NAME_LENGTHS)
  await renameUser(needs.db, caller.user.id, displayName, needs.clock.now())
  return { status: 200, body: await readUser(needs, caller) }
}
