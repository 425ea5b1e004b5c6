import type { OfficeMetric } from '@atrium/contract'
import type { Tx } from '../../platform/database/database.ts'
import { readSeries, setSeries } from '../../platform/metrics/series-store.ts'
import { labelText, type SeriesRow } from '../../platform/metrics/tally.ts'
import { type KnownRoom, type Ledger, ownerOf } from './ledger.ts'
import { countOpen, type OpenCount } from './store.ts'

const GAUGE_OF: Record<OpenCount['what'], OfficeMetric> = {
  rooms: 'rtc_room_active',
  participants: 'rtc_participants_active',
  tracks: 'rtc_tracks_active',
  egress: 'rtc_egress_active',
  ingress: 'rtc_ingress_active',
}
const ALWAYS = ['rtc_room_active', 'rtc_participants_active'] as const satisfies readonly OfficeMetric[]

/** Sets the gauges of every organization that was touched to the sizes of its sets. */
export async function setGauges(tx: Tx, ledger: Ledger): Promise<void> {
  if (ledger.touched.size === 0) return
  const organizations = [...ledger.touched.keys()]
  const counted = await countOpen(tx, organizations)
  const shown = await readSeries(tx, [...Object.values(GAUGE_OF), 'rtc_org_info'], organizations)
  const named = new Set(shown.filter((row) => row.metric === 'rtc_org_info').map((row) => row.organization))
  const rows = new Map<string, SeriesRow>()
  const put = (row: SeriesRow) => void rows.set(`${row.metric}{${row.labels}}`, row)
  // what was shown, or began and ended meanwhile, and is no longer there is 0 and does not disappear
  for (const row of shown) if (row.metric !== 'rtc_org_info') put({ ...row, value: 0 })
  for (const place of ledger.touched.values()) {
    for (const name of ALWAYS) put(gauge(place, name, {}, 0))
    // a name that is shown already is kept right by the refresh
    if (!named.has(place.organization))
      put(gauge(place, 'rtc_org_info', { org_name: place.organizationName }, 1))
  }
  for (const { organization, source, type } of ledger.tracks.changed()) {
    const place = ledger.touched.get(organization)
    if (place) put(gauge(place, 'rtc_tracks_active', { source, type }, 0))
  }
  for (const { organization, kind } of ledger.jobs.changed()) {
    const place = ledger.touched.get(organization)
    if (place) put(gauge(place, GAUGE_OF[kind], {}, 0))
  }
  for (const { organization, what, source, type, count } of counted) {
    const place = ledger.touched.get(organization)
    const labels = source !== null && type !== null ? { source, type } : {}
    if (place) put(gauge(place, GAUGE_OF[what], labels, count))
  }
  await setSeries(tx, [...rows.values()])
}

function gauge(
  place: KnownRoom,
  name: OfficeMetric,
  labels: Readonly<Record<string, string>>,
  value: number,
): SeriesRow {
  const owner = ownerOf(place)
  return {
    organization: place.organization,
    metric: name,
    labels: labelText({ ...owner.labels, ...labels }),
    value,
    buckets: null,
  }
}
