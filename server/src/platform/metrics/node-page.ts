import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Family } from './exposition.ts'
import { type PagePart, pagePart } from './page-part.ts'

/** One series, as it stands. */
export interface Measure {
  metric: string
  /** Of a counter: all of it since the node began. */
  value: number
  /** All those that the metric is declared with. */
  labels?: Readonly<Record<string, string>>
}

/** The metrics in the memory of this node. */
export interface NodePage {
  /** Adds to a counter. @param labels all those that the metric is declared with */
  count(name: string, by?: number, labels?: Readonly<Record<string, string>>): void
  /** @param labels all those that the metric is declared with */
  set(name: string, value: number, labels?: Readonly<Record<string, string>>): void
  /** @param labels all those that the metric is declared with */
  observe(name: string, value: number, labels?: Readonly<Record<string, string>>): void
  /** What is worked out only when the text is made: called then. */
  collect(name: string, read: () => number): void
  /** The same of many gauges and counters at once. A series of a gauge that is not told any more is gone. */
  follow(read: () => Iterable<Measure>): void
  /** The text, at most a second old: made when it is asked for, once for all who ask within that second. */
  current(): Promise<PagePart>
  close(): void
}

const FRESH_MS = 1_000
/** Finer than any alert asks for; each look wakes the process. */
const LOOP_LOOK_MS = 20
const NANOSECONDS = 1e9
const MICROSECONDS = 1e6

/** What is declared, by name. */
interface Declared {
  readonly registry: Registry
  readonly counters: Map<string, Counter>
  readonly gauges: Map<string, Gauge>
  readonly histograms: Map<string, Histogram>
}

/** Of a node with metrics that are not collected, no text is made, and nothing looks at its event loop. */
export function openNodePage(
  families: readonly Family[],
  constant: Readonly<Record<string, string>>,
): NodePage {
  const declared = declare(families, constant)
  const { counters, gauges, histograms } = declared
  /** With labels, which are looked up once. */
  const series = new Map<string, Histogram.Internal<string>>()
  const readers = new Map<string, () => number>()
  const followed: (() => Iterable<Measure>)[] = []
  const take = followMeasures(declared)
  const node = watchNode(declared)
  const current = keptFresh(async () => {
    for (const [name, read] of readers) gauges.get(name)?.set(read())
    take(followed.flatMap((read) => [...read()]))
    node.note()
    return pagePart(await declared.registry.metrics())
  })
  return {
    count: (name, by = 1, labels = {}) => counters.get(name)?.inc({ ...labels }, by),
    set: (name, value, labels = {}) => gauges.get(name)?.set({ ...labels }, value),
    observe(name, value, labels = {}) {
      const key = `${name} ${Object.values(labels).join(' ')}`
      const known = series.get(key) ?? histograms.get(name)?.labels({ ...labels })
      if (!known) return
      series.set(key, known)
      known.observe(value)
    },
    collect: (name, read) => void readers.set(name, read),
    follow: (read) => void followed.push(read),
    current,
    close: node.close,
  }
}

function declare(families: readonly Family[], constant: Readonly<Record<string, string>>): Declared {
  const registry = new Registry()
  registry.setDefaultLabels(constant)
  const declared: Declared = { registry, counters: new Map(), gauges: new Map(), histograms: new Map() }
  for (const { name, type, help, labels, buckets } of families) {
    const about = { name, help, labelNames: [...labels], registers: [registry] }
    if (type === 'counter') declared.counters.set(name, new Counter(about))
    else if (type === 'gauge') declared.gauges.set(name, new Gauge(about))
    else declared.histograms.set(name, new Histogram({ ...about, buckets: [...(buckets ?? [])] }))
  }
  return declared
}

/** Takes all measures of one look: gauges that are not among them any more are gone. */
function followMeasures({ counters, gauges }: Declared): (measures: readonly Measure[]) => void {
  const add = totals((name, by, labels) => counters.get(name)?.inc({ ...labels }, by))
  const followedGauges = new Set<Gauge>()
  return (measures) => {
    for (const gauge of followedGauges) gauge.reset()
    for (const measure of measures) {
      const gauge = gauges.get(measure.metric)
      if (gauge) {
        followedGauges.add(gauge)
        gauge.set({ ...measure.labels }, measure.value)
      } else add(measure)
    }
  }
}

/** What the process uses, and how late its event loop is. */
function watchNode({ counters, gauges }: Declared): { note(): void; close(): void } {
  const delay = monitorEventLoopDelay({ resolution: LOOP_LOOK_MS })
  let cpuSeen = 0
  return {
    note() {
      const { user, system } = process.cpuUsage()
      const cpu = (user + system) / MICROSECONDS
      counters.get('process_cpu_seconds_total')?.inc(Math.max(0, cpu - cpuSeen))
      cpuSeen = cpu
      gauges.get('process_resident_memory_bytes')?.set(process.memoryUsage.rss())
      // of no look at all it knows a number of its own
      const late = delay.count > 0 ? delay.percentile(99) : 0
      gauges.get('nodejs_eventloop_lag_p99_seconds')?.set(late / NANOSECONDS)
      delay.reset()
      delay.enable()
    },
    close() {
      delay.disable()
    },
  }
}

/** A text at most a second old. */
function keptFresh(render: () => Promise<PagePart>): () => Promise<PagePart> {
  let newest: { text: Promise<PagePart>; freshUntil: number } | undefined
  return () => {
    if (newest && performance.now() < newest.freshUntil) return newest.text
    const text = render()
    newest = { text, freshUntil: performance.now() + FRESH_MS }
    // the next to ask need not wait for a second to have it tried again
    text.catch(() => {
      if (newest?.text === text) newest = undefined
    })
    return text
  }
}

/** Counters know steps only: what was added since the last look. */
function totals(
  add: (name: string, by: number, labels: Measure['labels']) => void,
): (measure: Measure) => void {
  const seen = new Map<string, number>()
  return ({ metric, value, labels = {} }) => {
    const series = JSON.stringify([metric, ...Object.values(labels)])
    add(metric, Math.max(0, value - (seen.get(series) ?? 0)), labels)
    seen.set(series, value)
  }
}
