import type { Reply } from '@atrium/contract'
import type { OrganizationLimits } from '../../access/budgets/organization-limits.ts'
import type { CallerOf } from '../../access/caller.ts'
import { logoOf } from './image-slot.ts'
import { type RemoveNeeds, removeImage } from './remove-image.ts'

interface Needs extends RemoveNeeds {
  limits: Pick<OrganizationLimits, 'of'>
}

/** Takes the logo of the active organization away. */
export async function removeLogo(needs: Needs, caller: CallerOf<'removeLogo'>): Promise<Reply<'removeLogo'>> {
  await removeImage(needs, logoOf(caller, needs.limits))
  return { status: 204 }
}
