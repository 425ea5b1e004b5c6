import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'

/**
 * Names each test that passed only when it was tried again (`npm test -- --retry=1`, as CI does): hosts have been seen
 * to keep 99 % of the processor for half a minute. Such a test waits too briefly for something, and is to be mended.
 */
export class RetriedTests implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const again = modules.flatMap((module) =>
      [...module.children.allTests('passed')]
        .filter((test) => (test.diagnostic()?.retryCount ?? 0) > 0)
        .map((test) => `${relative(process.cwd(), module.moduleId)} > ${test.fullName}`),
    )
    for (const name of again) process.stdout.write(`passed only when tried again: ${name}\n`)
  }
}
