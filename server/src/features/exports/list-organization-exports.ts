import type { Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import { type ViewNeeds, viewExports } from './export-view.ts'

/** The exports of the active organization, of all who started one. */
export async function listOrganizationExports(
  needs: ViewNeeds,
  caller: CallerOf<'listOrganizationExports'>,
): Promise<Reply<'listOrganizationExports'>> {
  return {
    status: 200,
    body: { exports: await viewExports(needs, { organization: caller.organization.id }) },
  }
}
