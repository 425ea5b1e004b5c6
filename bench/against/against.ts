import type { Ends } from '../opening.ts'
import type { Spread } from '../statistics.ts'
import { openCheckout } from './checkout.ts'
import type { AgainstLoad } from './loads.ts'
import { type Compared, type Measuring, measureRounds, type Sides } from './rounds.ts'
import { openScene, type Scene } from './scene.ts'

/** Ids are of one digit more in one of them. */
const BYTES_ALIKE = 0.01

/** How a request of this load is answered. */
interface Probe {
  status: number
  bytes: number
}

interface Against extends Sides {
  /** Those that both offices answer. */
  loads: readonly AgainstLoad[]
}

/** Opens both offices. @param tell what is left out, and why */
async function openAgainst(
  commit: string,
  loads: readonly AgainstLoad[],
  ends: Ends,
  tell: (line: string) => void,
): Promise<Against> {
  const root = await openCheckout(commit, ends)
  const earlier = await openScene(ends, { root })
  const now = await openScene(ends)
  const both: AgainstLoad[] = []
  for (const load of loads) {
    const [before, after] = [await probe(earlier, load), await probe(now, load)]
    if (after.status !== 200) throw new Error(`${load.path} answers ${after.status} now`)
    if (before.status !== 200) {
      tell(`  ${load.name} is left out: ${load.path} answered ${before.status} then`)
      continue
    }
    if (Math.abs(before.bytes / after.bytes - 1) > BYTES_ALIKE)
      tell(`  ${load.name}: an answer has ${after.bytes} bytes now, and had ${before.bytes}`)
    both.push(load)
  }
  return { earlier, now, loads: both }
}

/** Everything from the checkout on, and all of it taken away again. */
export async function runAgainst(
  commit: string,
  loads: readonly AgainstLoad[],
  measuring: Measuring,
  tell: (line: string) => void = console.log,
): Promise<Compared[]> {
  const ends: Ends = []
  try {
    const opened = await openAgainst(commit, loads, ends, tell)
    return await measureRounds(opened, opened.loads, measuring)
  } finally {
    for (let end = ends.pop(); end; end = ends.pop()) await end()
  }
}

export function describeCompared(all: readonly Compared[]): string {
  const lines = all.flatMap(({ name, earlier, now, ratio }) => [
    `${name}`,
    `  earlier ${spread(earlier, microseconds)}`,
    `  now     ${spread(now, microseconds)}`,
    `  ratio   ${spread(ratio, (value) => value.toFixed(3))}`,
  ])
  return lines.join('\n')
}

function spread({ median, min, max, deviation }: Spread, show: (value: number) => string): string {
  return `median ${show(median)}   from ${show(min)} to ${show(max)}   half within ±${show(deviation)}`
}

function microseconds(value: number): string {
  return `${value.toFixed(1)} µs`
}

async function probe(scene: Scene, load: AgainstLoad): Promise<Probe> {
  const { headers, body } = await load.one(scene)
  const answer = await fetch(scene.base + load.path, { method: 'POST', headers, body })
  const bytes = (await answer.arrayBuffer()).byteLength
  return { status: answer.status, bytes }
}
