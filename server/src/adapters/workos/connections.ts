import type { WorkOS } from '@workos-inc/node'
import type { IdentityOrganizationId } from '../../platform/ids.ts'
import { cursorOf, organizationOf } from './answers.ts'
import { ask, malformed } from './failures.ts'

/** As many as it tells at a time. */
const BATCH = 100

/** All organizations with an active connection: a request for each hundred of the connections that there are. */
export async function listConnected(workos: WorkOS): Promise<Set<IdentityOrganizationId>> {
  const connected = new Set<IdentityOrganizationId>()
  const seen = new Set<string>()
  for (let after: string | null = null; ; ) {
    const search = { limit: BATCH }
    const page = await ask('listConnections', () =>
      workos.sso.listConnections(after === null ? search : { ...search, after }),
    )
    for (const { state, organizationId } of page.data) {
      const organization = organizationOf(organizationId)
      if (state === 'active' && organization) connected.add(organization)
    }
    after = cursorOf(page.listMetadata.after)
    if (after === null) return connected
    if (seen.has(after)) throw malformed('next page')
    seen.add(after)
  }
}
