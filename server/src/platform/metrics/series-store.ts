import { type Generated, sql } from 'kysely'
import type { Db, Tx } from '../database/database.ts'
import type { SeriesRow } from './tally.ts'

declare module '../database/database.ts' {
  interface Tables {
    metric_series: {
      organization_id: string | null
      metric: string
      labels: string
      value: number
      buckets: string[] | null
      revision: Generated<string>
    }
  }
}

/** What `LISTEN` hears of changed series. Payload: insert, update or delete. */
export const SERIES_CHANNEL = 'metric_series_changed'

const WRITER_LOCK = '1635021419, 1'

/** Before the first write of a transaction: writers come one after another, so revisions appear in their order. */
export async function lockSeries(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.raw(WRITER_LOCK)})`.execute(tx)
}

/** Adds to counters and histograms. One that had other buckets before begins again. */
export async function addToSeries(tx: Tx, rows: readonly SeriesRow[]): Promise<void> {
  if (rows.length === 0) return
  await sql`
    insert into metric_series as stored (organization_id, metric, labels, value, buckets)
    select organization_id, metric, labels, value, buckets from ${unnested(rows)}
    on conflict (metric, organization_id, labels) do update set
      value = case when cardinality(stored.buckets) <> cardinality(excluded.buckets)
        then excluded.value else stored.value + excluded.value end,
      buckets = case when cardinality(stored.buckets) = cardinality(excluded.buckets)
        then (select array_agg(bucket.before + bucket.more order by bucket.at)
          from unnest(stored.buckets, excluded.buckets) with ordinality as bucket (before, more, at))
        else excluded.buckets end,
      revision = nextval('metric_series_revisions')`.execute(tx)
}

/** Sets gauges. What has that value already is left alone. */
export async function setSeries(tx: Tx, rows: readonly SeriesRow[]): Promise<void> {
  if (rows.length === 0) return
  await sql`
    insert into metric_series as stored (organization_id, metric, labels, value, buckets)
    select organization_id, metric, labels, value, buckets from ${unnested(rows)}
    on conflict (metric, organization_id, labels) do update set
      value = excluded.value, revision = nextval('metric_series_revisions')
      where stored.value <> excluded.value`.execute(tx)
}

function unnested(rows: readonly SeriesRow[]) {
  // arrays of different lengths cannot be parameters of one: they go as text
  return sql`unnest(${rows.map((row) => row.organization)}::bigint[], ${rows.map((row) => row.metric)}::text[],
      ${rows.map((row) => row.labels)}::text[], ${rows.map((row) => row.value)}::float8[],
      ${rows.map((row) => (row.buckets ? `{${row.buckets.join(',')}}` : null))}::text[])
    as given (organization_id, metric, labels, value, buckets_text),
    lateral (select buckets_text::bigint[]) as made (buckets)`
}

/** The series of some metrics, of some organizations or of all. */
export async function readSeries(
  db: Db,
  metrics: readonly string[],
  organizations?: readonly string[],
): Promise<SeriesRow[]> {
  let query = db
    .selectFrom('metric_series')
    .select(['organization_id', 'metric', 'labels', 'value', 'buckets'])
    .where(({ eb, fn, val }) => eb('metric', '=', fn.any(val([...metrics]))))
  if (organizations)
    query = query.where(({ eb, fn, val }) =>
      eb('organization_id', '=', fn.any(sql<string[]>`${val([...organizations])}::bigint[]`)),
    )
  return (await query.execute()).map(toRow)
}

/** A page of what has changed since a revision, oldest change first. */
export async function readChangedSeries(
  db: Db,
  since: string,
  limit: number,
): Promise<{ rows: SeriesRow[]; revision: string }> {
  const rows = await db
    .selectFrom('metric_series')
    .selectAll()
    .where('revision', '>', since)
    .orderBy('revision')
    .limit(limit)
    .execute()
  return { rows: rows.map(toRow), revision: rows.at(-1)?.revision ?? since }
}

/** Organizations that have any series, of some or of all. */
export async function organizationsWithSeries(db: Db, among?: readonly string[]): Promise<string[]> {
  const condition = among
    ? sql`organization_id = any(${[...among]}::bigint[])`
    : sql`organization_id is not null`
  const { rows } = await sql<{ id: string }>`
    select distinct organization_id as id from metric_series where ${condition}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Organizations with series that have changed since a revision. */
export async function organizationsChangedSince(db: Db, revision: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct organization_id as id from metric_series
    where revision > ${revision} and organization_id is not null`.execute(db)
  return rows.map(({ id }) => id)
}

/** The newest revision of any series. */
export async function newestRevision(db: Db): Promise<string> {
  const { rows } = await sql<{ revision: string }>`
    select coalesce(max(revision), 0) as revision from metric_series`.execute(db)
  return rows[0]?.revision ?? '0'
}

/** Deletes series of a metric that an organization has beside the one with these labels. */
export async function deleteOtherSeries(
  tx: Tx,
  metric: string,
  kept: readonly { organization: string; labels: string }[],
): Promise<void> {
  await sql`
    delete from metric_series using unnest(${kept.map((one) => one.organization)}::bigint[],
      ${kept.map((one) => one.labels)}::text[]) as kept (organization, labels)
    where metric = ${metric} and organization_id = kept.organization and metric_series.labels <> kept.labels`.execute(
    tx,
  )
}

/** Deletes every series of organizations. */
export async function deleteSeriesOf(tx: Tx, organizations: readonly string[]): Promise<void> {
  if (organizations.length === 0) return
  await sql`delete from metric_series where organization_id = any(${organizations}::bigint[])`.execute(tx)
}

function toRow(row: {
  organization_id: string | null
  metric: string
  labels: string
  value: number
  buckets: string[] | null
}): SeriesRow {
  return {
    organization: row.organization_id,
    metric: row.metric,
    labels: row.labels,
    value: row.value,
    buckets: row.buckets?.map(Number) ?? null,
  }
}
