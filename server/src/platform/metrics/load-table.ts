/** What requests cost this node. */
export interface Load {
  requests: number
  /** Of them: turned away because of their number (429), or because there was no room for them (503). */
  refused: number
  /** From their heads to the ends of their replies, together. */
  ms: number
  /** Of that: for the database, and for a share of it. */
  waitedMs: number
  /** Of that: the event loop ran for them. The processor's time is at most this. */
  loopMs: number
}

export interface LoadRow extends Load {
  key: string
}

export interface LoadReport {
  /** What it covers: the window that runs, and the one before it. */
  seconds: number
  /** The greatest first. */
  top: readonly LoadRow[]
  /** Of all that are not named. */
  others: Load
}

/** Loads by key, of late: a bounded number of keys is told apart, however many there are. */
export interface LoadTable {
  add(key: string, load: Readonly<Load>): void
  report(count: number): LoadReport
}

interface Window {
  since: number
  known: Map<string, Load>
  others: Load
}

const WINDOW_MS = 60_000
const KEPT = 256

/**
 * What is heavy stays: where twice as many keys are known as are kept, the lighter half is added to the others, once for
 * as many new keys, so that a key costs the same however many come.
 */
export function loadTable({ kept = KEPT, now = () => performance.now() } = {}): LoadTable {
  let current = newWindow(now())
  let before: Window | undefined
  const turn = (at: number) => {
    if (at - current.since < WINDOW_MS) return
    before = at - current.since < 2 * WINDOW_MS ? current : undefined
    current = newWindow(at)
  }
  return {
    add(key, load) {
      turn(now())
      const found = current.known.get(key)
      if (found) return addTo(found, load)
      if (current.known.size >= 2 * kept) forgetLightest(current, kept)
      current.known.set(key, { ...load })
    },
    report(count) {
      const at = now()
      turn(at)
      const all = newWindow(at)
      for (const window of before ? [before, current] : [current]) {
        addTo(all.others, window.others)
        for (const [key, load] of window.known) {
          const sum = all.known.get(key) ?? noLoad()
          addTo(sum, load)
          all.known.set(key, sum)
        }
      }
      forgetLightest(all, count)
      const seconds = Math.max(1, (at - (before ?? current).since) / 1_000)
      const top = [...all.known].map(([key, load]) => ({ key, ...load }))
      return { seconds, top, others: all.others }
    },
  }
}

/** Leaves the heaviest of a window by themselves, the greatest first. */
function forgetLightest(window: Window, count: number): void {
  const whole = noLoad()
  for (const load of window.known.values()) addTo(whole, load)
  const ranked = [...window.known]
    .map(([key, load]) => ({ key, load, share: greatestShare(load, whole) }))
    .toSorted((a, b) => b.share - a.share)
  window.known = new Map(ranked.slice(0, count).map(({ key, load }) => [key, load]))
  for (const { load } of ranked.slice(count)) addTo(window.others, load)
}

/** A flood has a great share of something: of requests, of refusals, of waiting or of the event loop. */
function greatestShare(load: Load, whole: Load): number {
  return Math.max(
    ...(['requests', 'refused', 'waitedMs', 'loopMs'] as const).map((part) =>
      whole[part] > 0 ? load[part] / whole[part] : 0,
    ),
  )
}

function addTo(sum: Load, load: Readonly<Load>): void {
  sum.requests += load.requests
  sum.refused += load.refused
  sum.ms += load.ms
  sum.waitedMs += load.waitedMs
  sum.loopMs += load.loopMs
}

function newWindow(since: number): Window {
  return { since, known: new Map(), others: noLoad() }
}

function noLoad(): Load {
  return { requests: 0, refused: 0, ms: 0, waitedMs: 0, loopMs: 0 }
}
