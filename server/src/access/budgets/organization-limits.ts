import { type LimitName, organizationLimits } from '@atrium/contract'
import type { Job } from '../../platform/background/jobs.ts'
import type { Db } from '../../platform/database/database.ts'
import { trusted } from '../../platform/ids.ts'
import type { Log } from '../../platform/log.ts'
import { listAllLimits, listLimitsOf, type SetLimit } from './organization-limit-store.ts'

/** What each organization has: its own limits where an operator has set some, those of the deployment otherwise. */
export interface OrganizationLimits {
  /**
   * In memory: as cheap as a lookup. 0: no limit. Without an organization: that of the deployment.
   * @param user of a limit that each person has: the one who asks
   */
  of(organization: string | undefined, name: LimitName, user?: string): number
  /** The same, where it is set for this person, or for all of this organization. */
  own(organization: string | undefined, name: LimitName, user?: string): number | undefined
  /** The same, where it is set for this person. */
  personal(organization: string | undefined, name: LimitName, user: string): number | undefined
  /** The payload of a notification `organization_limits_changed`. */
  hear(organization: string): void
  /** Asks the database for those of all: notifications may have been missed. */
  refresh(): Promise<void>
  /** Waits for what goes on in the background. */
  settle(): Promise<void>
}

/** The limits of the deployment: of organizations that have none of their own. */
export type DeploymentLimits = Readonly<Record<LimitName, number>>

interface Own {
  ofAll: ReadonlyMap<LimitName, number>
  ofPeople: ReadonlyMap<string, ReadonlyMap<LimitName, number>>
}

/** The bound that holds even where a notification was lost without a sign of it. */
const REFRESH_EVERY_MS = 30_000

/**
 * Keeps the limits that are set in memory: few organizations have some. A node hears of changes, and looks now and then.
 * Nothing is known before the first `refresh`.
 */
export function rememberLimits(
  { db, log }: { db: Db; log: Pick<Log, 'warn'> },
  deployment: DeploymentLimits,
): OrganizationLimits {
  let all = new Map<string, Own>()
  // one after the other: what was asked for last is what counts
  let asking: Promise<void> = Promise.resolve()
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const turn = asking.then(work)
    asking = turn.catch((error: unknown) =>
      log.warn({ err: error }, 'the limits of organizations could not be read'),
    )
    return turn
  }
  const of = (organization: string | undefined) =>
    organization === undefined ? undefined : all.get(organization)
  const personal = (organization: string | undefined, name: LimitName, user: string) =>
    of(organization)?.ofPeople.get(user)?.get(name)
  const own = (organization: string | undefined, name: LimitName, user?: string) =>
    (user === undefined ? undefined : personal(organization, name, user)) ?? of(organization)?.ofAll.get(name)
  return {
    own,
    personal,
    of: (organization, name, user) => own(organization, name, user) ?? deployment[name],
    hear(organization) {
      const again = async () => {
        const rows = await listLimitsOf(db, trusted.organizationId(organization))
        if (rows.length === 0) all.delete(organization)
        else all.set(organization, ownOf(rows))
      }
      // it is told by `inTurn` where it fails
      inTurn(again).catch(() => {})
    },
    refresh: () =>
      inTurn(async () => {
        const rows = Map.groupBy(await listAllLimits(db), ({ organization }) => organization)
        all = new Map([...rows].map(([organization, limits]) => [organization, ownOf(limits)]))
      }),
    settle: () => asking,
  }
}

function ownOf(rows: readonly SetLimit[]): Own {
  const people = rows.filter(({ user }) => user !== null)
  return {
    ofAll: knownOf(rows.filter(({ user }) => user === null)),
    ofPeople: new Map(
      [...Map.groupBy(people, ({ user }) => user ?? '')].map(([user, limits]) => [user, knownOf(limits)]),
    ),
  }
}

/** What only an earlier or a later release knows is ignored. */
function knownOf(rows: readonly SetLimit[]): ReadonlyMap<LimitName, number> {
  return new Map(rows.flatMap(({ name, value }) => (isLimit(name) ? [[name, value]] : [])))
}

export function isLimit(name: string): name is LimitName {
  return Object.hasOwn(organizationLimits, name)
}

/** The job that finds what no notification has told. On every node. */
export function limitsJob(limits: Pick<OrganizationLimits, 'refresh'>): Job {
  return {
    name: 'refresh-organization-limits',
    everyMs: REFRESH_EVERY_MS,
    scope: 'node',
    run: () => limits.refresh(),
  }
}
