import type { OrganizationId } from '../platform/ids.ts'
import { type SharedLimiterOptions, sharedLimiter, type Taken } from '../platform/rate-limit.ts'
import type { Visitor } from './caller.ts'

/** How often an organization may have the outside asked for its domains and its issuer in an hour; 0: no limit. */
export interface SignOnBudgetSizes {
  signOnTrialsPerOrganization: number
}

const HOUR_SECONDS = 60 * 60

/** Draws one look into the DNS, or one test sign-in. */
export type DrawSignOnTrial = (
  visitor: Pick<Visitor, 'tellLimit'>,
  organization: OrganizationId,
) => Promise<void>

/** @param requireLeft tells the caller what is left, and refuses where it is not enough */
export function signOnBudget(
  { pool, onStoreError }: Pick<SharedLimiterOptions, 'pool' | 'onStoreError'>,
  sizes: SignOnBudgetSizes,
  requireLeft: (taken: Taken, visitor: Pick<Visitor, 'tellLimit'>) => void,
): DrawSignOnTrial {
  const trials = sharedLimiter({
    pool,
    name: 'sign-on-trials-per-organization',
    points: sizes.signOnTrialsPerOrganization,
    seconds: HOUR_SECONDS,
    ...(onStoreError ? { onStoreError } : {}),
  })
  return async (visitor, organization) => requireLeft(await trials.take(organization), visitor)
}
