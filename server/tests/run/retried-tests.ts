import { relative } from 'node:path'
import type { Reporter, TestCase, TestModule } from 'vitest/node'

/**
 * Names each test that passed only when it was tried again (`npm test -- --retry=1`, as CI does), and what it failed by
 * before: hosts have been seen to keep 99 % of the processor for half a minute. Such a test waits too briefly for
 * something, and is to be mended.
 */
export class RetriedTests implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const again = modules.flatMap((module) =>
      [...module.children.allTests('passed')]
        .filter((test) => (test.diagnostic()?.retryCount ?? 0) > 0)
        .map((test) => `${relative(process.cwd(), module.moduleId)} > ${test.fullName}: ${failureOf(test)}`),
    )
    for (const one of again) process.stdout.write(`passed only when tried again: ${one}\n`)
  }
}

function failureOf(test: TestCase): string {
  const [first] = test.result().errors ?? []
  if (!first) return 'it is not known by what'
  const at = first.stacks?.[0]
  return `${first.message}${at ? ` (line ${at.line})` : ''}`
}
