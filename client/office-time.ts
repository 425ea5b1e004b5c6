/**
 * The office's own time, independent of this machine's clock. It follows the `Date` of the office's answers and runs on
 * a monotonic clock: a clock that is wrong, or set while a page is open, changes nothing.
 */
export interface OfficeTime {
  /** Milliseconds since 1970. Of this machine's clock as long as no answer has told. */
  now(): number
  /** Takes the `Date` of an answer. @param askedAt `performance.now()` of when its request was sent */
  heard(headers: Headers, askedAt: number): void
}

/** `Date` has whole seconds: the moment lies somewhere in the one that it names. */
const SECOND = 1_000

export function createOfficeTime(monotonic: () => number = () => performance.now()): OfficeTime {
  /** What the office's time is ahead of the monotonic clock, within bounds that each answer narrows. */
  let ahead: { least: number; most: number } | undefined
  return {
    now: () => (ahead ? (ahead.least + ahead.most) / 2 + monotonic() : Date.now()),
    heard(headers, askedAt) {
      const said = Date.parse(headers.get('date') ?? '')
      // an answer out of a cache says when it was stored
      if (Number.isNaN(said) || headers.has('age')) return
      const told = { least: said - monotonic(), most: said + SECOND - askedAt }
      const both = ahead && {
        least: Math.max(ahead.least, told.least),
        most: Math.min(ahead.most, told.most),
      }
      // bounds that exclude each other: the machine has slept, or the office's clock was set
      ahead = both && both.least <= both.most ? both : told
    },
  }
}
