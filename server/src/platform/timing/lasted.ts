/** What is longer is beyond belief: a clock that is wrong by years must not be in a sum for good. */
const LASTED_SECONDS_MAX = 90 * 24 * 60 * 60

export interface Lasting {
  /** In seconds, as the source says. */
  told?: number | undefined
  /** When it may have begun: what is believed first comes first. */
  since?: readonly (Date | null | undefined)[]
  until?: Date | undefined
}

/**
 * How many seconds something lasted: as it is told, else from the first beginning that lies before the end. Zero or
 * less, and what is beyond belief, means that it was not told. Undefined where it is unknown.
 */
export function lastedSeconds({ told, since = [], until }: Lasting): number | undefined {
  const lengths = [told, ...since.map((from) => from && until && (until.getTime() - from.getTime()) / 1_000)]
  return lengths.find(
    (seconds): seconds is number =>
      typeof seconds === 'number' && seconds > 0 && seconds <= LASTED_SECONDS_MAX,
  )
}
