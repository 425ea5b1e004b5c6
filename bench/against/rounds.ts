import { pinLoad, pinMeasured } from '../pinning.ts'
import { processorTimeOfThreads } from '../processor-time.ts'
import { type Spread, spreadOf } from '../statistics.ts'
import { allAnswered, undisturbed } from '../undisturbed.ts'
import type { AgainstLoad } from './loads.ts'
import type { Scene } from './scene.ts'

const SLICE_SECONDS = 0.25

/** The office of an earlier commit, and the one of this checkout. */
export interface Sides {
  earlier: Scene
  now: Scene
}

/** Processor microseconds of the office for a request, one sample right after the other. */
export interface Round {
  earlier: number
  now: number
}

export interface Measuring {
  rounds: number
  /** Of load for each side in a round, and beforehand for the compiler. */
  seconds: number
  warmUpSeconds: number
  onRound?: (load: AgainstLoad, round: Round, number: number) => void
}

/** Of one kind of request. */
export interface Compared {
  name: string
  rounds: Round[]
  earlier: Spread
  now: Spread
  /** Earlier by now, round by round: below 1 it is dearer now. */
  ratio: Spread
}

/**
 * Sends the same load to both in turn. A round is a sample of each side of each load, so that a disturbance does not
 * meet one load alone; the side that begins changes from round to round.
 */
export async function measureRounds(
  sides: Sides,
  loads: readonly AgainstLoad[],
  { rounds, seconds, warmUpSeconds, onRound }: Measuring,
): Promise<Compared[]> {
  const taken = new Map(loads.map((load) => [load, [] as Round[]]))
  for (const { pid } of [sides.earlier, sides.now]) pinMeasured(pid)
  const unpin = pinLoad()
  try {
    if (warmUpSeconds > 0)
      for (const load of loads)
        for (const side of ['earlier', 'now'] as const)
          await allAnswered(() => microsecondsPerRequest(sides[side], load, warmUpSeconds))
    for (let number = 1; number <= rounds; number += 1)
      for (const [load, list] of taken) {
        const round = await undisturbed(() => allAnswered(() => takeRound(sides, load, seconds, number)))
        list.push(round)
        onRound?.(load, round, number)
      }
  } finally {
    unpin()
  }
  return [...taken].map(([{ name }, list]) => compared(name, list))
}

export function compared(name: string, rounds: Round[]): Compared {
  return {
    name,
    rounds,
    earlier: spreadOf(rounds.map(({ earlier }) => earlier)),
    now: spreadOf(rounds.map(({ now }) => now)),
    ratio: spreadOf(rounds.map(({ earlier, now }) => earlier / now)),
  }
}

/**
 * A round is cut into slices that take turns: how fast a shared host is changes within seconds, by more than what is
 * looked for, and must meet both sides alike.
 */
async function takeRound(sides: Sides, load: AgainstLoad, seconds: number, number: number): Promise<Round> {
  const pairs = load.slowBehind ? 1 : Math.max(1, Math.round(seconds / SLICE_SECONDS))
  const used = { earlier: { microseconds: 0, answered: 0 }, now: { microseconds: 0, answered: 0 } }
  for (let pair = 0; pair < pairs; pair += 1) {
    const order = (number + pair) % 2 === 1 ? (['earlier', 'now'] as const) : (['now', 'earlier'] as const)
    for (const side of order) {
      const slice = await use(sides[side], load, SLICE_SECONDS)
      used[side].microseconds += slice.microseconds
      used[side].answered += slice.answered
    }
  }
  return { earlier: each(used.earlier), now: each(used.now) }
}

export async function microsecondsPerRequest(
  scene: Scene,
  load: AgainstLoad,
  seconds: number,
): Promise<number> {
  return each(await use(scene, load, seconds))
}

interface Used {
  microseconds: number
  answered: number
}

async function use(scene: Scene, load: AgainstLoad, seconds: number): Promise<Used> {
  let answered = 0
  const before = processorTimeOfThreads(scene.pid) ?? Number.NaN
  await load.ask(scene, seconds, () => {
    answered += 1
  })
  return { microseconds: (processorTimeOfThreads(scene.pid) ?? Number.NaN) - before, answered }
}

function each({ microseconds, answered }: Used): number {
  return microseconds / answered
}
