import type { SignOn } from '@atrium/contract'
import type { OrganizationRef } from '../../../directory/organizations.ts'
import { type Clock, secondsAfter } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/database/database.ts'
import type { ConnectionSettings, ConnectionsPort } from '../../../ports/connections.ts'
import { returnPathOf } from '../federated/start-federated.ts'
import { TEST_HOLDS_SECONDS } from './rules.ts'
import { findLastTest } from './test-store.ts'

export interface SignOnViewNeeds {
  db: Db
  clock: Clock
  baseUrl: string
}

/** How an organization signs in, as its administrators see it. */
export async function readSignOn(
  needs: SignOnViewNeeds,
  connections: ConnectionsPort,
  organization: OrganizationRef,
): Promise<SignOn> {
  const { inForce, draft } = await connections.find(needs.db, organization.identityId)
  const since = secondsAfter(needs.clock.now(), -TEST_HOLDS_SECONDS)
  const last = await findLastTest(needs.db, organization.id, since)
  const shown = (settings: ConnectionSettings) => ({
    issuer: settings.issuer,
    clientId: settings.clientId,
    trustsEmail: settings.trustsEmail,
    redirectAddress: `${needs.baseUrl}${returnPathOf('sso', settings.redirectName)}`,
  })
  return {
    inForce: inForce && shown(inForce),
    draft: draft && { ...shown(draft), testedAt: draft.tested?.at.toISOString() ?? null },
    lastTest: last
      ? {
          at: last.at.toISOString(),
          outcome: last.outcome,
          domain: last.domain,
          emailVerified: last.emailVerified,
          of: last.revision === null ? 'in-force' : 'draft',
        }
      : null,
  }
}
