import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import { logoOf } from './image-slot.ts'
import { issueTicket, type TicketNeeds } from './issue-ticket.ts'

interface Needs extends TicketNeeds {
  logoUploadTries: number
}

/** An address to upload a logo of the active organization to. */
export async function createLogoUploadTicket(
  needs: Needs,
  caller: CallerOf<'createLogoUploadTicket'>,
  input: Input<'createLogoUploadTicket'>,
): Promise<Reply<'createLogoUploadTicket'>> {
  const slot = logoOf(caller, needs.logoUploadTries)
  const ticket = await issueTicket(needs, caller, slot, input.contentType)
  return { status: 200, body: ticket }
}
