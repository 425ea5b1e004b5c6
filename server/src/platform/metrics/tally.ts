/** What a piece of work adds to metric series: gathered in memory, then stored at once. */
export interface Tally {
  /** Adds to a counter. */
  count(metric: string, owner: SeriesOwner, labels?: Labels, by?: number): void
  /** Adds one observation to a histogram; what is negative counts as 0. */
  observe(metric: string, owner: SeriesOwner, value: number): void
  rows(): SeriesRow[]
}

export type Labels = Readonly<Record<string, string>>

/** The owner of a series. */
export interface SeriesOwner {
  /** Null: of no organization. */
  organization: string | null
  /** Labels that go before all others. */
  labels: Labels
}

/** A series as it is stored. */
export interface SeriesRow {
  organization: string | null
  metric: string
  /** In the form in which they are shown, without braces. */
  labels: string
  /** Of a histogram, the sum of what was observed. */
  value: number
  /** Of a histogram: observations by bucket, each for itself; the last is for all above the highest bound. */
  buckets: number[] | null
}

/** @param bounds upper bounds of the buckets of each histogram */
export function newTally(bounds: ReadonlyMap<string, readonly number[]>): Tally {
  const rows = new Map<string, SeriesRow>()
  const rowOf = (metric: string, owner: SeriesOwner, labels: Labels, buckets: () => number[] | null) => {
    const text = labelText({ ...owner.labels, ...labels })
    const key = `${metric}{${text}}`
    const known = rows.get(key)
    if (known) return known
    const row = { organization: owner.organization, metric, labels: text, value: 0, buckets: buckets() }
    rows.set(key, row)
    return row
  }
  return {
    count(metric, owner, labels = {}, by = 1) {
      rowOf(metric, owner, labels, () => null).value += by
    },
    observe(metric, owner, value) {
      const limits = bounds.get(metric)
      if (!limits) throw new Error(`${metric} is no histogram`)
      const row = rowOf(metric, owner, {}, () => new Array<number>(limits.length + 1).fill(0))
      const amount = Math.max(0, value)
      const at = limits.findIndex((limit) => amount <= limit)
      const bucket = at < 0 ? limits.length : at
      row.value += amount
      if (row.buckets) row.buckets[bucket] = (row.buckets[bucket] ?? 0) + 1
    },
    rows: () => [...rows.values()],
  }
}

/** Labels as the exposition format writes them. */
export function labelText(labels: Labels): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${escaped(value)}"`)
    .join(',')
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}
