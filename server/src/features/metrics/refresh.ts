import type { OfficeMetric } from '@atrium/contract'
import { listOrganizationsById, organizationsChangedSince } from '../../directory/organizations.ts'
import type { Job } from '../../platform/background/jobs.ts'
import { type Clock, DAY_SECONDS, secondsAfter } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { type OrganizationId, trusted } from '../../platform/ids.ts'
import {
  deleteOtherSeries,
  deleteSeriesOf,
  lockSeries,
  newestRevision,
  organizationsWithSeries,
  organizationsChangedSince as seriesChangedSince,
  setSeries,
} from '../../platform/metrics/series-store.ts'
import { type Labels, labelText, type SeriesRow } from '../../platform/metrics/tally.ts'
import { activitySince, organizationsWithEnds, recordedSince } from '../media-events/reads.ts'
import { countPresent } from '../presence/reads.ts'

export interface RefreshNeeds {
  db: Db
  clock: Clock
}

const RECORDING_WINDOWS = { '1d': 1, '7d': 7, '30d': 30 }
const ACTIVITY_WINDOWS = { '7d': 7, '30d': 30 }

/** What was not seen to change is looked at this often: what was erased, or mended by an operator. */
const WHOLE_EVERY_SECONDS = DAY_SECONDS
/** Clocks of nodes differ, and what began before a look may commit after it. */
const OVERLAP_SECONDS = 5 * 60

/** The gauges that no event sets: worked out again every so often, of the organizations where anything has changed. */
export function refreshJob(needs: RefreshNeeds, everySeconds: number): Job {
  return { name: 'refresh-metrics', everyMs: everySeconds * 1_000, run: gaugeRefresher(needs) }
}

/** What a refresh has seen: remembered by this process only, a new leader begins with all organizations. */
interface Seen {
  at: Date
  /** Of the stored series, before anything else was read: changes from then on are looked at again. */
  revision: string
  present: ReadonlyMap<OrganizationId, number>
}

function gaugeRefresher({ db, clock }: RefreshNeeds): () => Promise<void> {
  let wholeAt: Date | undefined
  let last: Seen | undefined
  return async () => {
    const now = clock.now()
    const seen = { at: now, revision: await newestRevision(db), present: await countPresent(db) }
    const isWhole = !wholeAt || !last || secondsAfter(wholeAt, WHOLE_EVERY_SECONDS) <= now
    const changed = isWhole || !last ? undefined : await organizationsChanged(db, last, seen)
    if (changed?.length !== 0) await refreshGauges(db, seen, changed)
    last = seen
    if (isWhole) wholeAt = now
  }
}

/** Every change of one of these gauges: people came or went, something ended, or has left a window. */
async function organizationsChanged(db: Db, last: Seen, seen: Seen): Promise<OrganizationId[]> {
  const left = (windows: Record<string, number>) =>
    Object.values(windows).map((days) => ({
      after: secondsAfter(last.at, -days * DAY_SECONDS),
      until: secondsAfter(seen.at, -days * DAY_SECONDS),
    }))
  const [written, ended, renamed] = [
    (await seriesChangedSince(db, last.revision)).map(trusted.organizationId),
    await organizationsWithEnds(db, { stays: left(ACTIVITY_WINDOWS), recordings: left(RECORDING_WINDOWS) }),
    await organizationsChangedSince(db, secondsAfter(last.at, -OVERLAP_SECONDS)),
  ]
  const peopled = [...new Set([...last.present.keys(), ...seen.present.keys()])].filter(
    (id) => last.present.get(id) !== seen.present.get(id),
  )
  return [...new Set([...written, ...ended, ...renamed, ...peopled])]
}

/** @param among those that are worked out; undefined: all */
async function refreshGauges(
  db: Db,
  { at, present }: Seen,
  among?: readonly OrganizationId[],
): Promise<void> {
  const values = await readValues(db, at, among)
  for (const id of among ?? present.keys()) {
    const count = present.get(id)
    if (count !== undefined) putValue(values, id, 'rtc_participants_connected', count)
  }
  await transaction(db, async (tx) => {
    await lockSeries(tx)
    const shown = await organizationsWithSeries(tx, among)
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
type Values = Map<OrganizationId, Map<string, number>>

async function readValues(db: Db, now: Date, among?: readonly OrganizationId[]): Promise<Values> {
  const values: Values = new Map()
  for (const [window, days] of Object.entries(RECORDING_WINDOWS)) {
    for (const one of await recordedSince(db, secondsAfter(now, -days * DAY_SECONDS), among)) {
      putValue(values, one.organization, 'rtc_egress_completed', one.count, window)
      putValue(values, one.organization, 'rtc_egress_total_duration_seconds', one.seconds, window)
    }
  }
  for (const [window, days] of Object.entries(ACTIVITY_WINDOWS)) {
    for (const one of await activitySince(db, secondsAfter(now, -days * DAY_SECONDS), among)) {
      putValue(values, one.organization, 'rtc_unique_participants', one.uniqueMembers, window)
      putValue(values, one.organization, 'rtc_participant_total_online_seconds', one.seconds, window)
    }
  }
  return values
}

function putValue(
  values: Values,
  organization: OrganizationId,
  metric: OfficeMetric,
  value: number,
  window?: string,
): void {
  const own = values.get(organization) ?? new Map<string, number>()
  values.set(organization, own.set(keyOf(metric, window), value))
}
