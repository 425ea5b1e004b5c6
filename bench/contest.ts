import type { Benchmark, BenchmarkOptions, Goal, Sample } from './benchmark.ts'
import { type Spread, spreadOf } from './statistics.ts'
import { undisturbed } from './undisturbed.ts'

/** Two samples, taken one right after the other. */
export interface Round {
  subject: Sample
  baseline: Sample
  /** Whether the machine was quiet when it began. */
  quiet: boolean
}

export interface Measuring extends BenchmarkOptions {
  rounds: number
  /** Waits until the machine is quiet, or gives up. */
  quiet: () => Promise<boolean>
  onRound: (round: Round, number: number) => void
}

export interface Outcome {
  rounds: Round[]
  subject: Spread
  baseline: Spread
  /** Subject by baseline, round by round. */
  ratio: Spread
  goalMet: boolean
}

/** Measures both sides in turn. Who begins changes each round, so that neither always finds the warmer machine. */
export async function measure(benchmark: Benchmark, measuring: Measuring): Promise<Outcome> {
  const contest = await benchmark.prepare(measuring)
  const rounds: Round[] = []
  try {
    for (let number = 1; number <= measuring.rounds; number += 1) {
      const takeRound = async () => {
        const round: Partial<Round> = { quiet: await measuring.quiet() }
        const order =
          number % 2 === 1 ? (['subject', 'baseline'] as const) : (['baseline', 'subject'] as const)
        for (const side of order) round[side] = await contest[side]()
        return round as Round
      }
      const round = await (benchmark.repeatsByItself ? takeRound() : undisturbed(takeRound))
      rounds.push(round)
      measuring.onRound(round, number)
    }
  } finally {
    await contest.close()
  }
  return outcomeOf(rounds, benchmark.goal)
}

export function outcomeOf(rounds: Round[], goal: Goal): Outcome {
  const subject = spreadOf(rounds.map((round) => round.subject.value))
  const baseline = spreadOf(rounds.map((round) => round.baseline.value))
  const ratio = spreadOf(rounds.map((round) => round.subject.value / round.baseline.value))
  const outcome = { rounds, subject, baseline, ratio }
  return { ...outcome, goalMet: isMet(outcome, goal) }
}

function isMet({ rounds, subject, ratio }: Omit<Outcome, 'goalMet'>, goal: Goal): boolean {
  if ('ratioMin' in goal) return ratio.median >= goal.ratioMin
  if ('ratioMax' in goal) return ratio.median <= goal.ratioMax
  if ('detailsMax' in goal) return beyondGoal(rounds, goal).length === 0
  if ('subjectMax' in goal) {
    const { subjectMax, subjectP99Max } = goal
    return subject.median <= subjectMax && (subjectP99Max === undefined || p99Of(rounds) <= subjectP99Max)
  }
  const overhead = overheadOf(rounds)
  return overhead.median <= goal.overheadMax && overhead.p99 <= goal.overheadP99Max
}

/** The details that a goal names and that lie beyond it, with their medians. */
export function beyondGoal(
  rounds: readonly Round[],
  { detailsMax, named }: Extract<Goal, { named: string }>,
): [name: string, median: number][] {
  const names = Object.keys(rounds[0]?.subject.details ?? {}).filter((name) => name.endsWith(named))
  if (names.length === 0) throw new Error(`nothing named "${named}" was measured`)
  const medianOf = (name: string) =>
    spreadOf(rounds.map(({ subject }) => subject.details?.[name] ?? Number.NaN)).median
  return names
    .map((name): [string, number] => [name.slice(0, -named.length), medianOf(name)])
    .filter(([, median]) => !(median <= detailsMax))
}

/** Of the subject: the median of the rounds; NaN where it was not seen. */
export function p99Of(rounds: readonly Round[]): number {
  return spreadOf(rounds.map(({ subject }) => subject.details?.['p99 ms'] ?? Number.NaN)).median
}

/** How much more the subject takes than its baseline in the same round: the median of the rounds, and that of their p99. */
export function overheadOf(rounds: readonly Round[]): { median: number; p99: number } {
  const more = (of: (sample: Sample) => number) =>
    spreadOf(rounds.map(({ subject, baseline }) => of(subject) - of(baseline))).median
  return { median: more(({ value }) => value), p99: more(({ details }) => details?.['p99 ms'] ?? Number.NaN) }
}
