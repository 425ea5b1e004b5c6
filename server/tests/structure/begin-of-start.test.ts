import { describe, expect, it } from 'vitest'
import { type SourceFile, sourceFile, sourceFiles } from './source-files.ts'
import { expectNone, type Violation } from './violations.ts'

const RULE = 'server/src/commands/serve.ts: before its database, a start loads only what opens it'
const FIRST = ['server/src/main.ts', 'server/src/commands/serve.ts']
/** What a start needs before: the command line, the settings, the log, and a connection to ask whether it answers. */
const PACKAGES = ['commander', 'pg', 'pino']
/** Of ours: settings, and the embedded database. */
const FILES_MAX = 80
const NOT_YET = [
  'server/src/features/',
  'server/src/compose/parts/',
  'server/src/commands/all-commands.ts',
  'contract/',
]

interface Loaded {
  files: string[]
  violations: Violation[]
}

/** Each module that is loaded for others, at once: neither types nor what is imported later. */
function loadedFor(first: readonly string[], files: readonly SourceFile[]): Loaded {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const seen = new Set<string>(first)
  const violations: Violation[] = []
  for (const path of seen) {
    if (NOT_YET.some((place) => path.startsWith(place))) violations.push({ path, what: 'is loaded' })
    const file = byPath.get(path)
    if (!file) throw new Error(`${path} is not there`)
    for (const { target, package: name, line, way, typeOnly } of file.imports) {
      if (typeOnly || way === 'dynamic') continue
      if (target) seen.add(target)
      else if (name && !name.startsWith('node:') && !PACKAGES.includes(name))
        violations.push({ path, line, what: `loads ${name}` })
    }
  }
  return { files: [...seen], violations }
}

describe('the beginning of a start', () => {
  it('loads nothing of the office', () => {
    const { files, violations } = loadedFor(FIRST, sourceFiles())
    expectNone(RULE, violations)
    expect(files).toContain('embedded-postgres/start-embedded-postgres.ts')
    expect(files.length).toBeLessThanOrEqual(FILES_MAX)
  })

  it('would be told of with the file that is loaded', () => {
    const made = [
      sourceFile('server/src/main.ts', "import { a } from './a.ts'\nconst b = import('./b.ts')"),
      sourceFile(
        'server/src/a.ts',
        "import './features/c.ts'\nimport { d } from 'kysely'\nimport type { E } from 'fastify'",
      ),
      sourceFile('server/src/b.ts', "import 'fastify'"),
      sourceFile('server/src/features/c.ts', "import 'node:fs'"),
    ]
    expect(loadedFor(['server/src/main.ts'], made).violations).toEqual([
      { path: 'server/src/a.ts', line: 2, what: 'loads kysely' },
      { path: 'server/src/features/c.ts', what: 'is loaded' },
    ])
  })
})
