import type { Input, Reply } from '@atrium/contract'
import type { OrganizationLimits } from '../../access/budgets/organization-limits.ts'
import type { CallerOf } from '../../access/caller.ts'
import { type FinalizeNeeds, finalizeUpload } from './finalize-upload.ts'
import { logoOf } from './image-slot.ts'

interface Needs extends FinalizeNeeds {
  limits: Pick<OrganizationLimits, 'of'>
  imageBaseUrl: string
}

/** Checks the uploaded logo and shows it everywhere. */
export async function finalizeLogoUpload(
  needs: Needs,
  caller: CallerOf<'finalizeLogoUpload'>,
  input: Input<'finalizeLogoUpload'>,
): Promise<Reply<'finalizeLogoUpload'>> {
  const key = await finalizeUpload(needs, logoOf(caller, needs.limits), input.tmpKey)
  return { status: 200, body: { logoUrl: `${needs.imageBaseUrl}/${key}` } }
}
