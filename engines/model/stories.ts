import fc from 'fast-check'
import { Disagreement } from './disagreement.ts'
import { type Drawn, drawn } from './drawn.ts'
import { endLine } from './effects.ts'
import { lookAtAll } from './looks.ts'
import type { ModelOffice } from './office.ts'
import type { Rule } from './rule.ts'
import { everyRule } from './rules/every-rule.ts'
import { setScene } from './scene.ts'
import type { Tally } from './tally.ts'
import { newWorld, type World } from './world.ts'

const STEPS_MAX = 100

/** One step of a story: what it does is decided when it is told, by how things stand then. */
class Step implements fc.AsyncCommand<World, undefined> {
  private said = ''
  private readonly rule: Rule
  private readonly drawn: Drawn
  private readonly tally: Tally
  constructor(rule: Rule, drawn: Drawn, tally: Tally) {
    this.rule = rule
    this.drawn = drawn
    this.tally = tally
  }
  check(world: Readonly<World>): boolean {
    return this.rule.plan(world as World, this.drawn) !== undefined
  }
  async run(world: World): Promise<void> {
    const plan = this.rule.plan(world, this.drawn)
    this.said = plan?.says ?? ''
    this.tally.steps += 1
    if (process.env.MODEL_TELL) console.log(`    ${this.said}`)
    await plan?.act()
  }
  toString(): string {
    return `${this.said}  [${this.rule.name}]`
  }
}

export interface Told {
  /** The disagreement with its shortest story; undefined where the office did as the rules say. */
  disagreement: string | undefined
  /** It was not the office's answer: the trial itself, or a machine too busy for it. */
  isTrouble?: boolean
}

interface TellOptions {
  shrinkWithinMs?: number
  /** Those that steps are taken by; all of them where not given. */
  rules?: readonly Rule[]
}

/**
 * Tells the story of a seed. Where the office disagrees, the story is told again and made shorter, as long as it still
 * disagrees.
 */
export async function tellStory(
  office: ModelOffice,
  seed: number,
  tally: Tally,
  { shrinkWithinMs = SHRINK_WITHIN_MS, rules = everyRule }: TellOptions = {},
): Promise<Told> {
  const steps = fc.commands(
    rules.flatMap((rule) => {
      const step = drawn.map((what) => new Step(rule, what, tally))
      // an arbitrary twice is taken twice as often
      return Array.from({ length: Math.max(1, Math.round((rule.weight ?? 1) * WEIGHT)) }, () => step)
    }),
    { maxCommands: STEPS_MAX, size: 'max' },
  )
  const property = fc.asyncProperty(steps, async (commands) => {
    const world = newWorld(office, tally)
    try {
      await setScene(world)
      await fc.asyncModelRun(() => ({ model: world, real: undefined }), commands)
      await lookAtAll(world)
    } catch (error) {
      if (process.env.MODEL_TELL) console.log(`    ✗ ${error}`)
      throw error
    } finally {
      for (const person of world.people)
        for (const device of person.devices) endLine(person, device, 'closed')
    }
  })
  const run = { seed, numRuns: 1, interruptAfterTimeLimit: shrinkWithinMs, markInterruptAsFailure: false }
  const told = await fc.check(property, run)
  // broken off before it was told
  if (!told.failed || told.counterexample === null) return { disagreement: undefined }
  const error = told.errorInstance
  const why = error instanceof Error ? error.message : String(error)
  return {
    isTrouble: !(error instanceof Disagreement),
    disagreement: `seed ${seed}, made shorter ${told.numShrinks} times: ${why}\n${storyOf(told.counterexample?.[0])}`,
  }
}

const WEIGHT = 10
const SHRINK_WITHIN_MS = 240_000

const storyOf = (commands: Iterable<unknown> | undefined) =>
  String(commands)
    .split(/,(?=\S)|(?<=\]),/)
    .map((line) => `    ${line.trim()}`)
    .join('\n')
