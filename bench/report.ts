import type { Benchmark, Goal, Sample } from './benchmark.ts'
import { beyondGoal, type Outcome, overheadOf, p99Of, type Round } from './contest.ts'
import { type Spread, spreadOf } from './statistics.ts'

type Unit = Benchmark['unit']

export function describeRound({ subject, baseline, quiet }: Round, number: number, unit: Unit): string {
  const ratio = (subject.value / baseline.value).toFixed(2)
  return `  round ${number}: ${amount(subject.value, unit)} against ${amount(baseline.value, unit)}, ratio ${ratio}${quiet ? '' : ', others at work'}`
}

export function describeOutcome({ unit, goal }: Benchmark, outcome: Outcome): string {
  const { rounds, ratio, goalMet } = outcome
  const lines = (['subject', 'baseline'] as const).flatMap((side) => [
    `  ${side.padEnd(9)} ${spread(outcome[side], (value) => amount(value, unit))}`,
    ...describeDetails(rounds.map((round) => round[side])),
  ])
  return [
    ...lines,
    `  ratio     ${spread(ratio, (value) => value.toFixed(3))}`,
    `  goal      ${target(goal, unit, rounds)}: ${goalMet ? 'met' : 'MISSED'}`,
  ].join('\n')
}

function target(goal: Goal, unit: Unit, rounds: readonly Round[]): string {
  if ('ratioMin' in goal) return `ratio at least ${goal.ratioMin}`
  if ('ratioMax' in goal) return `ratio at most ${goal.ratioMax}`
  if ('detailsMax' in goal) {
    const beyond = beyondGoal(rounds, goal).map(([name, median]) => `, ${name} ${median.toFixed(2)}`)
    return `each at most ${goal.detailsMax}${beyond.join('')}`
  }
  if ('subjectMax' in goal) {
    const { subjectMax, subjectP99Max } = goal
    const p99 =
      subjectP99Max === undefined
        ? ''
        : ` (p99 ${amount(subjectP99Max, unit)}: ${amount(p99Of(rounds), unit)})`
    return `at most ${amount(subjectMax, unit)}${p99}`
  }
  const { median, p99 } = overheadOf(rounds)
  const said = `at most ${goal.overheadMax} ms more (p99 ${goal.overheadP99Max})`
  return `${said}, ${median.toFixed(1)} ms more (p99 ${p99.toFixed(1)})`
}

function describeDetails(samples: readonly Sample[]): string[] {
  return Object.keys(samples[0]?.details ?? {}).map((name) => {
    const values = samples.map(({ details }) => details?.[name] ?? Number.NaN)
    return `    ${name.padEnd(7)} ${spread(spreadOf(values), (value) => value.toFixed(2))}`
  })
}

function spread({ median, min, max, deviation }: Spread, show: (value: number) => string): string {
  return `median ${show(median)}   from ${show(min)} to ${show(max)}   half within ±${show(deviation)}`
}

function amount(value: number, unit: Unit): string {
  if (unit === 'requests/s') return `${Math.round(value)}/s`
  return value < 10 ? `${value.toFixed(1)} ${unit}` : `${Math.round(value)} ${unit}`
}
