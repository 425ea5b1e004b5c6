import { AssertionError } from 'node:assert'
import type { Exchanges } from './exchanges.ts'

/** What a walk reports to. Every step and check prints one line. */
export interface Steps {
  /** Something the rest of the walk needs: where it fails, the walk ends. Answers what `run` answers. */
  step<Result>(title: string, run: () => Promise<Result>): Promise<Result>
  /** Something that stands for itself: where it fails, the walk goes on. */
  check(title: string, run: () => Promise<unknown>): Promise<void>
}

export interface Tally {
  passed: number
  failed: number
}

/** Ends a walk after a failed step; the failure itself is reported already. */
export class WalkEnded extends Error {}

/**
 * Steps that print to `print` and count in `tally`.
 * @param exchanges what is printed below each step: the lines of what it has sent and received
 */
export function createSteps(tally: Tally, print: (line: string) => void, exchanges?: Exchanges): Steps {
  const show = () => {
    for (const line of exchanges?.take() ?? []) print(line)
  }
  async function attempt<Result>(title: string, run: () => Promise<Result>): Promise<[Result] | undefined> {
    try {
      const result = await run()
      tally.passed += 1
      print(`  ✓ ${title}`)
      show()
      return [result]
    } catch (error) {
      if (error instanceof WalkEnded) throw error
      tally.failed += 1
      print(`  ✗ ${title}`)
      show()
      for (const line of describeFailure(error)) print(`      ${line}`)
      return undefined
    }
  }

  return {
    async step(title, run) {
      const done = await attempt(title, run)
      if (!done) throw new WalkEnded(title)
      return done[0]
    },
    async check(title, run) {
      await attempt(title, run)
    },
  }
}

/** What failed, without the stack where it is an expectation: the title already says where. */
function describeFailure(error: unknown): string[] {
  if (!(error instanceof Error)) return [String(error)]
  const text = error instanceof AssertionError ? error.message : (error.stack ?? error.message)
  const cause = error.cause instanceof Error ? [`cause: ${error.cause.message}`] : []
  return [...text.split('\n').slice(0, 24), ...cause]
}
