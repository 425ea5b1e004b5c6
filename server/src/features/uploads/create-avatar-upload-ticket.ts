import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import { avatarOf } from './image-slot.ts'
import { issueTicket, type TicketNeeds } from './issue-ticket.ts'

interface Needs extends TicketNeeds {
  avatarUploadTries: number
}

/** An address to upload an avatar to, straight to the storage. */
export async function createAvatarUploadTicket(
  needs: Needs,
  caller: CallerOf<'createAvatarUploadTicket'>,
  input: Input<'createAvatarUploadTicket'>,
): Promise<Reply<'createAvatarUploadTicket'>> {
  const slot = avatarOf(caller, needs.avatarUploadTries)
  const ticket = await issueTicket(needs, caller, slot, input.contentType)
  return { status: 200, body: ticket }
}

/** The same in the shape of the earlier path. */
export async function createEarlierAvatarUploadTicket(
  needs: Needs,
  caller: CallerOf<'createEarlierAvatarUploadTicket'>,
  input: Input<'createEarlierAvatarUploadTicket'>,
): Promise<Reply<'createEarlierAvatarUploadTicket'>> {
  const { body } = await createAvatarUploadTicket(needs, caller, input)
  return { status: 200, body: { code: 200, message: 'Upload ticket created', data: body } }
}
