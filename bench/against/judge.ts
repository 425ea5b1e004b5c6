import { ascending, quantile } from '../statistics.ts'
import { type Compared, compared, type Round } from './rounds.ts'

/** A request that is dearer than its mark by more than this is told of: earlier by now, below 1 where it is dearer. */
export const RATIO_MIN = 0.9

/**
 * Of the rounds: even the cheaper ones have to be beyond the bound. What else runs on the machine makes some rounds
 * dear and none cheap, and what has become dearer is so in all of them.
 */
const CHEAPER = 0.25

export interface Verdict {
  /** The largest ratio that the rounds give reason for: it has to be at least `ratioMin`. */
  ratio: number
  ratioMin: number
  red: boolean
}

/**
 * Whether requests have become dearer. Two answers have to agree: the middle one of the ratios of the rounds, and the
 * cheaper rounds of one side by those of the other.
 * @param bought what dearer may be since the mark, as a ratio (bench/prices.md); 1 where nothing was bought
 */
export function judge(rounds: readonly Round[], bought = 1): Verdict {
  const ratios = ascending(rounds.map(({ earlier, now }) => earlier / now))
  const cheaper = (side: keyof Round) => quantile(ascending(rounds.map((round) => round[side])), CHEAPER)
  const ratio = Math.max(quantile(ratios, 0.5), cheaper('earlier') / cheaper('now'))
  const ratioMin = RATIO_MIN * bought
  return { ratio, ratioMin, red: !(ratio >= ratioMin) }
}

/** The same requests, measured more often. */
export function together(one: Compared, more: Compared): Compared {
  return compared(one.name, [...one.rounds, ...more.rounds])
}
