/** What is longer is beyond belief: a clock that is wrong by years must not be in a sum for good. */
const LASTED_SECONDS_MAX = 90 * 24 * 60 * 60

/** When something began, by what an event of its beginning or end tells: the event itself where that is beyond belief. */
export function believedBeginning(told: Date | undefined, at: Date): Date {
  return told && Math.abs(at.getTime() - told.getTime()) <= LASTED_SECONDS_MAX * 1_000 ? told : at
}

/** Zero where a beginning that was heard of lies in the second of the end: events know whole seconds only. */
export function heardMoment(isHeard: boolean, from: Date | null, until: Date): 0 | undefined {
  return isHeard && from && Math.trunc((until.getTime() - from.getTime()) / 1_000) <= 0 ? 0 : undefined
}

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
