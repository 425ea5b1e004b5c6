import { runAgainst } from './against.ts'
import { commitNamed, sentenceOfMissing } from './checkout.ts'
import { judge, together } from './judge.ts'
import { LOADS } from './loads.ts'
import { readPrices } from './prices.ts'
import type { Compared } from './rounds.ts'

/**
 * What requests cost against the mark of prices.md, in three to four minutes. Run by engines/speed/speed.ts: prints a
 * `Held` as JSON on a line for each benchmark, and what else there is to say on stderr. With the argument `missing` it
 * measures nothing, and prints why it could not.
 */

export interface Held {
  /** What was measured, in a line. */
  told: string
  /** Why it is dearer than it may be; undefined where it is not. */
  fault?: string
}

const MEASURING = { rounds: 5, seconds: 1, warmUpSeconds: 3 }
/**
 * What looks dearer is measured for twice as long again, of offices that are started anew: identical ones differ by up to a
 * fifth in a single round, and V8 may make another choice in another process.
 */
const AGAIN = { ...MEASURING, rounds: 10 }

const { mark, bought } = readPrices()
const commit = await commitNamed(mark)
if (commit === undefined) console.log(sentenceOfMissing(mark))
else if (process.argv[2] !== 'missing') await hold(commit)

async function hold(commit: string): Promise<void> {
  const first = await runAgainst(commit, LOADS, MEASURING, console.error)
  const doubtful = LOADS.filter(({ name }) => first.some((one) => one.name === name && verdictOf(one).red))
  const again = doubtful.length > 0 ? await runAgainst(commit, doubtful, AGAIN, console.error) : []
  for (const one of first) {
    const more = again.find(({ name }) => name === one.name)
    console.log(JSON.stringify(heldOf(more ? together(one, more) : one)))
  }
}

function verdictOf({ name, rounds }: Compared) {
  return judge(rounds, bought.get(name))
}

function heldOf(one: Compared): Held {
  const { name, rounds, earlier, now, ratio } = one
  const span = `${ratio.median.toFixed(3)}, from ${ratio.min.toFixed(3)} to ${ratio.max.toFixed(3)}`
  const told = `${name}: ${earlier.median.toFixed(0)} µs then, ${now.median.toFixed(0)} µs now, ratio ${span} in ${rounds.length} rounds`
  const { ratio: best, ratioMin, red } = verdictOf(one)
  if (!red) return { told }
  return { told, fault: `it is dearer: ${best.toFixed(3)} at best, and ${ratioMin.toFixed(2)} is wanted` }
}
