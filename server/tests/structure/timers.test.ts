import { describe, expect, it } from 'vitest'
import { lineAt } from './scan-text.ts'
import { isTest, type SourceFile, sourceFile, sourceFiles } from './source-files.ts'
import { expectNone, type Violation } from './violations.ts'

const RULE = 'ARCHITECTURE.md §5: what fails in a timer or a promise that nobody awaits ends no process'
const TIMERS = /(?<![\w.])(?:setTimeout|setInterval|setImmediate)\(/g
/** A promise that no code awaits, without a handler of its failure. */
const FORGOTTEN = /(?:^ *|=> |\) )void [a-z][\w.]*\([^\n]*$/gm

/** Methods of sockets, maps and replies: they answer no promise. */
const NO_PROMISE = /void [\w.]+\.(?:set|add|delete|push|end|destroy|send|close|unsubscribe|write|kill)\(/

/** Timers with callbacks that settle a promise, abort, or cut off, and can do nothing else. */
const TRIVIAL_TIMERS: Record<string, string> = {
  'server/src/platform/timing/timer.ts': 'makes the timers that catch',
  'server/src/platform/timing/pause.ts': 'the timer that is a promise',
  'server/src/access/budgets/budgets.ts': 'the timer that is a promise',
  'server/src/platform/database/bounded-pool.ts': 'rejects, and gives a connection back',
  'server/src/platform/http/connections/close-server.ts': 'cuts off connections',
  'server/src/platform/metrics/render-worker.ts': 'in a thread, which is started again',
  'server/src/features/health/routes.ts': 'resolves',
  'server/src/features/media-events/intake.ts': 'resolves; aborts; writes a line of the log',
  'server/src/adapters/embedded-broker/conversation.ts': 'resolves',
  'server/src/adapters/image-check/image-check-server.ts': 'ends the image check on purpose',
  'server/src/adapters/image-check/own-image-check.ts': 'kills a child',
  'server/src/adapters/s3/s3-storage.ts': 'destroys a stream',
  'server/src/commands/doctor/realtime.ts': 'resolves',
  'server/src/main.ts': 'ends the process on purpose',
}
/** What catches by itself, or is no promise. */
const FORGETFUL: Record<string, string> = {
  'server/src/sandbox/media/simulation-routes.ts': 'Fastify tells of its plugins when it starts',
  'server/src/features/uploads/routes.ts': 'Fastify tells of its plugins when it starts',
  'server/src/platform/http/server.ts': 'thenables of Fastify that are no promises',
  'server/src/sandbox/media/twirp.ts': 'sends a reply, no promise',
  'server/src/platform/background/work-queue.ts': 'catches what a look throws',
  'server/src/platform/background/jobs.ts': 'catches what a run throws',
  'server/src/platform/background/notifications.ts': 'catches, and opens another connection',
  'server/src/compose/parts/features/media-events.ts': 'catches what the job throws',
}

function violations(files: readonly SourceFile[]): Violation[] {
  return files
    .filter(({ path }) => path.startsWith('server/src/') && !isTest(path))
    .flatMap(({ path, code }) => {
      const at = (match: RegExpMatchArray) => lineAt(code, match.index ?? 0)
      const timers = TRIVIAL_TIMERS[path] ? [] : [...code.matchAll(TIMERS)]
      const forgotten = FORGETFUL[path] ? [] : [...code.matchAll(FORGOTTEN)]
      return [
        ...timers.map((match) => ({ path, line: at(match), what: `${match[0]}…): use every() or after()` })),
        ...forgotten
          .filter(([text]) => !text.includes('.catch(') && !NO_PROMISE.test(text))
          .map((match) => ({
            path,
            line: at(match),
            what: `${match[0].trim()} has no catch: use guarded()`,
          })),
      ]
    })
}

describe('timers and promises that nobody awaits', () => {
  it('have somebody to tell what fails', () => {
    expectNone(RULE, violations(sourceFiles()))
  })

  it('are found where they have nobody', () => {
    const path = 'server/src/features/example/example.ts'
    const of = (code: string) => violations([sourceFile(path, code)]).length
    expect(of('const timer = setInterval(() => look(), 1_000)')).toBe(1)
    expect(of('void look()')).toBe(1)
    expect(of('timer = setTimeout(() => void look(), 5)')).toBe(2)
    expect(of('void look().catch(tell)')).toBe(0)
    expect(of('const timer = every(1_000, look, tell)')).toBe(0)
    expect(of('close(): void {')).toBe(0)
  })

  it('are listed by files that have them', () => {
    const known = new Map(sourceFiles().map(({ path, code }) => [path, code]))
    const unneeded = Object.keys(TRIVIAL_TIMERS).filter(
      (path) => !/set(Timeout|Interval|Immediate)/.test(known.get(path) ?? ''),
    )
    expect(unneeded).toEqual([])
    expect(Object.keys(FORGETFUL).filter((path) => !known.get(path)?.includes('void '))).toEqual([])
  })
})
