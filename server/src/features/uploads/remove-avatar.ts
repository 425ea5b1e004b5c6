import type { Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import { avatarOf } from './image-slot.ts'
import { type RemoveNeeds, removeImage } from './remove-image.ts'

interface Needs extends RemoveNeeds {
  avatarUploadTries: number
}

/** Takes the caller's avatar away. */
export async function removeAvatar(
  needs: Needs,
  caller: CallerOf<'removeAvatar'>,
): Promise<Reply<'removeAvatar'>> {
  await removeImage(needs, avatarOf(caller, needs.avatarUploadTries))
  return { status: 204 }
}
