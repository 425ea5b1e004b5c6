import type { ClockNote, FileNote, Note } from './notes.ts'

/** When something that a source sent happened, in milliseconds since the recording began. */
export interface Timeline {
  /** @param rtp by the clock of the source of that file */
  at(file: FileNote, rtp: number): number
}

/** A second of sound or of a picture, by the clock of its source. */
const TICKS_PER_MS: Record<FileNote['kind'], number> = { sound: 48, picture: 90, aside: 90 }
/** What a report took on its way differs; the quickest of those around it are nearest to the truth. */
const NEIGHBOURS_MS = 30_000

/**
 * Sound and pictures of one person are set by that person's clock, which both name in their reports: they stay together
 * however late they came. Where no report has come, by their arrival.
 */
export function makeTimeline(notes: readonly Note[]): Timeline {
  const clocks = notes.filter((one): one is ClockNote => one.note === 'clock')
  const bySource = Map.groupBy(clocks, ({ source }) => source)
  const byPerson = Map.groupBy(clocks, ({ person }) => person)
  const offsets = new Map<ClockNote, number>()
  /** From the clock of a person to that of the recording. */
  const offsetOf = (clock: ClockNote) => {
    const known = offsets.get(clock)
    if (known !== undefined) return known
    const near = (byPerson.get(clock.person) ?? []).filter(
      ({ at }) => Math.abs(at - clock.at) <= NEIGHBOURS_MS,
    )
    const offset = Math.min(...near.map(({ at, sent }) => at - sent))
    offsets.set(clock, offset)
    return offset
  }
  return {
    at(file, rtp) {
      const ticks = TICKS_PER_MS[file.kind]
      const sinceFirst = file.at + ticksBetween(file.rtp, rtp) / ticks
      const clock = nearest(bySource.get(file.source) ?? [], sinceFirst)
      if (!clock) return sinceFirst
      return clock.sent + offsetOf(clock) + ticksBetween(clock.rtp, rtp) / ticks
    },
  }
}

/** The last of them before a moment, else the first after it. */
function nearest(clocks: readonly ClockNote[], at: number): ClockNote | undefined {
  let [low, high] = [0, clocks.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((clocks[middle]?.at ?? 0) <= at) low = middle + 1
    else high = middle
  }
  return clocks[Math.max(0, low - 1)]
}

/** Clocks of 32 bits begin again. */
function ticksBetween(from: number, to: number): number {
  return (to - from) | 0
}
