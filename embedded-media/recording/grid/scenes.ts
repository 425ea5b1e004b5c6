import type { Run } from './runs.ts'

export const FRAMES_PER_SECOND = 25

/** A part of a film in which the same pictures are to be seen; its ends are counted in frames. */
export interface Scene {
  from: number
  to: number
  runs: readonly Run[]
}

/** More would be stamps, and each takes a decoder. */
const RUNS_MAX = 16

/** From the beginning to the end without a gap. */
export function scenesOf(runs: readonly Run[], endMs: number): Scene[] {
  const end = frameAt(endMs)
  const changes = runs.flatMap(({ fromMs, toMs }) => [frameAt(fromMs), frameAt(toMs)])
  const moments = [...new Set([0, end, ...changes.filter((frame) => frame < end)])].sort((a, b) => a - b)
  return moments.slice(1).map((to, index) => {
    const from = moments[index] as number
    const seen = runs.filter((run) => frameAt(run.fromMs) <= from && frameAt(run.toMs) >= to)
    return { from, to, runs: chosen(seen) }
  })
}

/** The latest screen is among them. */
function chosen(seen: readonly Run[]): readonly Run[] {
  if (seen.length <= RUNS_MAX) return seen
  const screen = seen.findLast(({ isScreen }) => isScreen)
  const others = seen.filter((run) => run !== screen)
  return [...others.slice(0, RUNS_MAX - 1), screen ?? (others[RUNS_MAX - 1] as Run)]
}

/** The first that is not before a moment. */
function frameAt(ms: number): number {
  return Math.ceil((ms * FRAMES_PER_SECOND) / 1_000)
}
