import type { Input, Reply } from '@atrium/contract'
import type { OrganizationLimits } from '../../access/budgets/organization-limits.ts'
import type { CallerOf } from '../../access/caller.ts'
import { logoOf } from './image-slot.ts'
import { issueTicket, type TicketNeeds } from './issue-ticket.ts'

interface Needs extends TicketNeeds {
  limits: Pick<OrganizationLimits, 'of'>
}

/** An address to upload a logo of the active organization to. */
export async function createLogoUploadTicket(
  needs: Needs,
  caller: CallerOf<'createLogoUploadTicket'>,
  input: Input<'createLogoUploadTicket'>,
): Promise<Reply<'createLogoUploadTicket'>> {
  const slot = logoOf(caller, needs.limits)
  const ticket = await issueTicket(needs, caller, slot, input.contentType)
  return { status: 200, body: ticket }
}
