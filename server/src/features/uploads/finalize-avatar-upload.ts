import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import { type FinalizeNeeds, finalizeUpload } from './finalize-upload.ts'
import { avatarOf } from './image-slot.ts'

interface Needs extends FinalizeNeeds {
  avatarUploadTries: number
  imageBaseUrl: string
}

/** Checks the uploaded avatar and shows it everywhere. */
export async function finalizeAvatarUpload(
  needs: Needs,
  caller: CallerOf<'finalizeAvatarUpload'>,
  input: Input<'finalizeAvatarUpload'>,
): Promise<Reply<'finalizeAvatarUpload'>> {
  const key = await finalizeUpload(needs, avatarOf(caller, needs.avatarUploadTries), input.tmpKey)
  return { status: 200, body: { avatarUrl: `${needs.imageBaseUrl}/${key}` } }
}

/** The same in the shape of the earlier path. */
export async function finalizeEarlierAvatarUpload(
  needs: Needs,
  caller: CallerOf<'finalizeEarlierAvatarUpload'>,
  input: Input<'finalizeEarlierAvatarUpload'>,
): Promise<Reply<'finalizeEarlierAvatarUpload'>> {
  const { body } = await finalizeAvatarUpload(needs, caller, input)
  return { status: 200, body: { code: 200, message: 'Avatar updated', ...body } }
}
