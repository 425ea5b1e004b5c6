import { describe, expect, it } from 'vitest'
import { sourceFile, sourceFiles } from './source-files.ts'
import { expectNone, type Violation } from './violations.ts'

const RULE =
  'server/src/commands/serve.ts: until the database begins, a start loads only what opens it; the rest is loaded meanwhile'
const FIRST = ['server/src/main.ts', 'server/src/commands/serve.ts']
/** What a start needs before: the command line, the settings, the log, and a connection to ask whether it answers. */
const PACKAGES = ['commander', 'pg', 'pino']

/** Each module that is loaded for others, at once: neither types nor what is imported later. */
function loadedFor(
  paths: readonly string[],
  files: ReadonlyMap<string, ReturnType<typeof sourceFile>>,
): Violation[] {
  const seen = new Set<string>(paths)
  const violations: Violation[] = []
  for (const path of seen) {
    for (const { target, package: name, line, way, typeOnly } of files.get(path)?.imports ?? []) {
      if (typeOnly || way === 'dynamic') continue
      if (target) seen.add(target)
      else if (name && !name.startsWith('node:') && !PACKAGES.includes(name))
        violations.push({ path, line, what: `loads ${name}` })
    }
  }
  return violations
}

describe('the beginning of a start', () => {
  const files = sourceFiles()

  it('loads nothing of the office', () => {
    expectNone(RULE, loadedFor(FIRST, new Map(files.map((file) => [file.path, file]))))
  })

  it('would be told of with the file that is loaded', () => {
    const made = [
      sourceFile('server/src/main.ts', "import { a } from './a.ts'\nconst b = import('./b.ts')"),
      sourceFile(
        'server/src/a.ts',
        "import 'node:fs'\nimport { c } from 'kysely'\nimport type { D } from 'fastify'",
      ),
      sourceFile('server/src/b.ts', "import 'fastify'"),
    ]
    expect(loadedFor(['server/src/main.ts'], new Map(made.map((file) => [file.path, file])))).toEqual([
      { path: 'server/src/a.ts', line: 2, what: 'loads kysely' },
    ])
  })
})
