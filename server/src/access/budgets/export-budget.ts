import type { OrganizationId, UserId } from '../../platform/ids.ts'
import { type SharedLimiterOptions, sharedLimiter, type Taken } from '../../platform/rate-limit.ts'
import type { Visitor } from '../caller.ts'

/** How many archives may be made in a day; 0: no limit. */
export interface ExportBudgetSizes {
  exportsPerUser: number
  exportsPerOrganization: number
}

const DAY_SECONDS = 24 * 60 * 60

/** Draws one archive from the budget of whomever it is of. */
export type DrawExport = (
  visitor: Pick<Visitor, 'tellLimit'>,
  owner: { organization: OrganizationId } | { user: UserId },
) => Promise<void>

/** @param requireLeft tells the caller what is left, and refuses where it is not enough */
export function exportBudget(
  { pool, onStoreError }: Pick<SharedLimiterOptions, 'pool' | 'onStoreError'>,
  sizes: ExportBudgetSizes,
  requireLeft: (taken: Taken, visitor: Pick<Visitor, 'tellLimit'>) => void,
): DrawExport {
  const shared = (name: string, points: number) =>
    sharedLimiter({ pool, name, points, seconds: DAY_SECONDS, ...(onStoreError ? { onStoreError } : {}) })
  const ofUser = shared('exports-per-user', sizes.exportsPerUser)
  const ofOrganization = shared('exports-per-organization', sizes.exportsPerOrganization)
  return async (visitor, owner) =>
    requireLeft(
      'user' in owner ? await ofUser.take(owner.user) : await ofOrganization.take(owner.organization),
      visitor,
    )
}
