import { CHECKPOINT_KEY } from '../../access/audit/audit-checkpoint.ts'
import { eraseFromTrails } from '../../access/audit/audit-erasure.ts'
import { type SignInRefusals, watchSignInRefusals } from '../../access/audit/sign-in-refusals.ts'
import { type KnownBearers, openBearers } from '../../access/bearers/known-bearers.ts'
import { type Budgets, makeBudgets } from '../../access/budgets/budgets.ts'
import {
  limitsJob,
  type OrganizationLimits,
  rememberLimits,
} from '../../access/budgets/organization-limits.ts'
import { eraseFromAccess } from '../../access/erase.ts'
import type { IdempotencyNeeds } from '../../access/idempotency/idempotency.ts'
import { type EndedAccess, endedAccessJob, rememberEndedAccess } from '../../access/sessions/ended-access.ts'
import { type KnownCallers, rememberCallers } from '../../access/sessions/known-callers.ts'
import type { LimitUsage } from '../../features/organizations/get-organization-limits.ts'
import type { Db } from '../../platform/database/database.ts'
import { type RequestsUnderWay, requestsUnderWay } from '../../platform/limits/requests-under-way.ts'
import type { RotatingKey } from '../../platform/secrets/secret.ts'
import { type StatementSigner, statementSigner } from '../../platform/secrets/signed-statement.ts'
import { deploymentLimits } from '../from-configuration/deployment-limits.ts'
import { limitUsage } from '../from-features/limit-usage.ts'
import { hashKeysOf, keyRingOf } from '../keys/key-rings.ts'
import { REPLY_KEYS } from '../keys/sealed-places.ts'
import type { NodeMeasure, Opening, Part } from '../part.ts'
import { type RequestGuard, requestGuard } from '../requests/request-guard.ts'
import type { Databases } from './platform/databases.ts'
import type { OfficeNotifications } from './platform/notifications.ts'

export interface Access extends Part {
  needs: {
    callers: KnownCallers
    budgets: Budgets
    limits: OrganizationLimits
    limitUsage: LimitUsage
    knownBrowserKeys: RotatingKey
    checkpointSigner: StatementSigner
  }
  callers: KnownCallers
  bearers: KnownBearers
  endedAccess: EndedAccess
  budgets: Budgets
  limits: OrganizationLimits
  underWay: RequestsUnderWay
  /** What every request passes: operations and SCIM. */
  guard: RequestGuard
  signInRefusals: SignInRefusals
  idempotency: IdempotencyNeeds
}

/** Sessions, the ends of access, and the budgets of callers. */
export async function openAccess(
  opening: Opening,
  { databases, notifications }: { databases: Databases; notifications: OfficeNotifications },
): Promise<Access> {
  const { config, clock, log, stack } = opening
  const { db, background } = databases
  const callers = rememberCallers({ db, clock, log, isNotified: notifications.isLive })
  stack.defer(() => callers.settle())
  const bearers = openBearers({ db, clock, log })
  stack.defer(() => bearers.settle())
  const endedAccess = rememberEndedAccess(db)
  const signInRefusals = watchSignInRefusals({ db: background, clock, log })
  stack.defer(() => signInRefusals.settle())
  const { limits, budgets, underWay, knownBrowserKeys } = await openBudgets(opening, databases)
  return {
    needs: {
      callers,
      budgets,
      limits,
      knownBrowserKeys,
      limitUsage: limitUsage({ db, clock, limits }),
      checkpointSigner: statementSigner(hashKeysOf(config, CHECKPOINT_KEY).current),
    },
    ...{ callers, bearers, endedAccess, budgets, limits, underWay, signInRefusals },
    guard: requestGuard({
      guard: { db, callers, bearers, origins: config.origins },
      ...{ budgets, underWay, baseUrl: config.baseUrl },
    }),
    idempotency: idempotencyOf(opening, db),
    measures: () => lookupMeasures(callers),
    jobs: [endedAccessJob(endedAccess), limitsJob(limits)],
    erasers: [
      { name: 'access', erase: (person) => eraseFromAccess(background, person) },
      { name: 'audit trails', erase: (person) => eraseFromTrails(background, person, clock.now()) },
    ],
    listeners: {
      access_changed: callers.forget,
      access_ended: endedAccess.hear,
      organization_limits_changed: limits.hear,
    },
    onNotificationGap() {
      callers.forgetAll()
      void endedAccess.refresh().catch(() => {})
      void limits.refresh().catch(() => {})
    },
  }
}

/** How much callers may ask for, by the limits of their organizations. */
async function openBudgets(
  { config, clock, log, stack }: Opening,
  { pool, background }: Databases,
): Promise<Pick<Access, 'limits' | 'budgets' | 'underWay'> & Pick<Access['needs'], 'knownBrowserKeys'>> {
  const knownBrowserKeys = hashKeysOf(config, 'known-browsers')
  const limits = rememberLimits({ db: background, log }, deploymentLimits(config))
  stack.defer(() => limits.settle())
  // before the first request: it would have the limits of the deployment
  await limits.refresh()
  const budgets = makeBudgets({ pool, log, clock, sizes: config.limits, limits, knownBrowserKeys })
  const underWay = requestsUnderWay(({ person, organization }) => ({
    person: limits.of(organization, 'requests-under-way-per-person', person),
    organization: limits.of(organization, 'requests-under-way'),
  }))
  return { limits, budgets, underWay, knownBrowserKeys }
}

function idempotencyOf({ config, clock, log }: Opening, db: Db): IdempotencyNeeds {
  const hashKeys = hashKeysOf(config, 'idempotency-keys')
  return { db, clock, log, ring: keyRingOf(config, REPLY_KEYS), hashKeys }
}

function lookupMeasures(callers: KnownCallers): NodeMeasure[] {
  const { hits, misses } = callers.lookups()
  return [
    { metric: 'cache_lookups_total', value: hits, labels: { cache: 'sessions', result: 'hit' } },
    { metric: 'cache_lookups_total', value: misses, labels: { cache: 'sessions', result: 'miss' } },
  ]
}
