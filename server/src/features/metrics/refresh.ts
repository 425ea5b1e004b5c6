import type { OfficeMetric } from '@atrium/contract'
import { listOrganizationsById } from '../../directory/organizations.ts'
import type { Job } from '../../platform/background/jobs.ts'
import { type Clock, secondsAfter } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { type OrganizationId, trusted } from '../../platform/ids.ts'
import {
  deleteOtherSeries,
  deleteSeriesOf,
  lockSeries,
  organizationsWithSeries,
  setSeries,
} from '../../platform/metrics/series-store.ts'
import { type Labels, labelText, type SeriesRow } from '../../platform/metrics/tally.ts'
import { activitySince, recordedSince } from '../media-events/reads.ts'
import { countPresent } from '../presence/reads.ts'

export interface RefreshNeeds {
  db: Db
  clock: Clock
}

const DAY_SECONDS = 24 * 60 * 60
const RECORDING_WINDOWS = { '1d': 1, '7d': 7, '30d': 30 }
const ACTIVITY_WINDOWS = { '7d': 7, '30d': 30 }

/** The gauges that no event sets: worked out anew every so often. */
export function refreshJob(needs: RefreshNeeds, everySeconds: number): Job {
  return { name: 'refresh-metrics', everyMs: everySeconds * 1_000, run: () => refreshGauges(needs) }
}

export async function refreshGauges({ db, clock }: RefreshNeeds): Promise<void> {
  const values = await readValues(db, clock.now())
  await transaction(db, async (tx) => {
    await lockSeries(tx)
    const shown = await organizationsWithSeries(tx)
    const active = [...new Set([...shown.map(trusted.organizationId), ...values.keys()])]
    const organizations = await listOrganizationsById(tx, active)
    const rows: SeriesRow[] = []
    const names: { organization: string; labels: string }[] = []
    for (const { id, identityId, name } of organizations) {
      const labels = (more: Labels) => labelText({ org_id: identityId, ...more })
      const own = values.get(id) ?? new Map<string, number>()
      for (const { metric, window } of REFRESHED) {
        const value = own.get(keyOf(metric, window)) ?? 0
        const text = labels(window === undefined ? {} : { window })
        rows.push({ organization: id, metric, labels: text, value, buckets: null })
      }
      const info = labels({ org_name: name })
      names.push({ organization: id, labels: info })
      rows.push({ organization: id, metric: 'rtc_org_info', labels: info, value: 1, buckets: null })
    }
    await deleteOtherSeries(tx, 'rtc_org_info', names)
    await setSeries(tx, rows)
    const living = new Set<string>(organizations.map(({ id }) => id))
    await deleteSeriesOf(
      tx,
      active.filter((id) => !living.has(id)),
    )
  })
}

interface Refreshed {
  metric: OfficeMetric
  window?: string
}

const REFRESHED: readonly Refreshed[] = [
  { metric: 'rtc_participants_connected' },
  ...Object.keys(RECORDING_WINDOWS).flatMap((window): Refreshed[] => [
    { metric: 'rtc_egress_completed', window },
    { metric: 'rtc_egress_total_duration_seconds', window },
  ]),
  ...Object.keys(ACTIVITY_WINDOWS).flatMap((window): Refreshed[] => [
    { metric: 'rtc_unique_participants', window },
    { metric: 'rtc_participant_total_online_seconds', window },
  ]),
]

function keyOf(metric: OfficeMetric, window?: string): string {
  return window === undefined ? metric : `${metric} ${window}`
}

/** By organization; only what is not 0. */
async function readValues(db: Db, now: Date): Promise<Map<OrganizationId, Map<string, number>>> {
  const values = new Map<OrganizationId, Map<string, number>>()
  const put = (organization: OrganizationId, metric: OfficeMetric, value: number, window?: string) => {
    const own = values.get(organization) ?? new Map<string, number>()
    values.set(organization, own.set(keyOf(metric, window), value))
  }
  for (const [organization, count] of await countPresent(db))
    put(organization, 'rtc_participants_connected', count)
  for (const [window, days] of Object.entries(RECORDING_WINDOWS)) {
    for (const one of await recordedSince(db, secondsAfter(now, -days * DAY_SECONDS))) {
      put(one.organization, 'rtc_egress_completed', one.count, window)
      put(one.organization, 'rtc_egress_total_duration_seconds', one.seconds, window)
    }
  }
  for (const [window, days] of Object.entries(ACTIVITY_WINDOWS)) {
    for (const one of await activitySince(db, secondsAfter(now, -days * DAY_SECONDS))) {
      put(one.organization, 'rtc_unique_participants', one.uniqueMembers, window)
      put(one.organization, 'rtc_participant_total_online_seconds', one.seconds, window)
    }
  }
  return values
}
