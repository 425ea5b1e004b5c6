import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { describe, expect, it, vi } from 'vitest'
import { lineAt } from './scan-text.ts'
import { isTest, ROOT, type SourceFile, sourceFile, sourceFiles } from './source-files.ts'
import { expectNone, type Violation } from './violations.ts'

const ENVIRONMENT_RULE = 'ARCHITECTURE.md §3: only main.ts reads process.env or exits'
const EFFECTS_RULE = 'ARCHITECTURE.md §3: importing a module does nothing'
/** Seconds on a quiet machine; only a module that never lets go takes as long. */
const GIVE_UP_MS = 5 * 60_000
vi.setConfig({ testTimeout: GIVE_UP_MS + 60_000 })

/** Programs of their own, never imported. */
const PROGRAMS = [
  'server/src/main.ts',
  // the processes of the image check, of the embedded media server, and of its films
  'image-check/process/image-check-process.ts',
  'embedded-media/process/media-process.ts',
  'embedded-media/process/film-process.ts',
  // what the tests of a killed launcher start and kill
  'embedded-postgres/launch-fixture.ts',
]
const OPEN_FOLDERS = /^(scripts|bench|acceptance|demo|engines)\//

const EXIT = /\bprocess\??\.(?:exit|abort)\b|\bprocess\[/g
const ENVIRONMENT = /\bprocess\??\.env\b|\benv\b[^}\n]*\}\s*=\s*process\b/g

function environmentViolations(files: readonly SourceFile[]): Violation[] {
  return files
    .filter(({ path }) => !PROGRAMS.includes(path) && !OPEN_FOLDERS.test(path))
    .flatMap(({ path, code, imports }) => {
      const words = code.replaceAll(/'[^'\n]*'|"[^"\n]*"/g, (text) => ' '.repeat(text.length))
      // a test may hand its own environment on to a process that it starts
      const patterns = isTest(path) ? [EXIT] : [EXIT, ENVIRONMENT]
      const found = patterns
        .flatMap((pattern) => [...words.matchAll(pattern)])
        .map((match) => ({ line: lineAt(code, match.index), what: match[0] }))
      const imported = imports.filter((one) => one.package === 'node:process')
      return [...found, ...imported.map(({ line, specifier }) => ({ line, what: specifier }))].map(
        ({ line, what }) => ({
          path,
          line,
          what: `${what} belongs to main.ts: take what you need as an argument`,
        }),
      )
    })
}

/** Imports modules in a process of their own. @returns what they did besides being there */
async function effectsOf(addresses: readonly string[]): Promise<[address: string, what: string][]> {
  const importer = join(import.meta.dirname, 'import-every-module.ts')
  const child = spawn(process.execPath, ['--no-warnings', importer, ...addresses], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const ended = new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), GIVE_UP_MS)
    child.on('exit', (code) => {
      clearTimeout(timer)
      resolve(code === 0)
    })
  })
  const report = await text(child.stdio[3] as Readable)
  // nothing at all where the process was given up before its first word
  const lines = report
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
  const found = lines.filter((line) => line !== 'end')
  if (lines.at(-1) !== 'end') found.push(['', 'the import of a module never came to an end'])
  if (!(await ended)) found.push(['', 'the process that imported every module did not end by itself'])
  return found
}

describe('the environment', () => {
  it('is read by main.ts alone', () => {
    expectNone(ENVIRONMENT_RULE, environmentViolations(sourceFiles()))
  })
})

describe('modules of the server', () => {
  it('do nothing when imported', async () => {
    const paths = sourceFiles()
      .map(({ path }) => path)
      .filter((path) => path.startsWith('server/src/') && !isTest(path) && !PROGRAMS.includes(path))
    const effects = await effectsOf(paths.map((path) => pathToFileURL(join(ROOT, path)).href))
    const root = pathToFileURL(ROOT).href
    expectNone(
      EFFECTS_RULE,
      effects.map(([address, what]) => ({ path: address.replace(`${root}/`, '') || 'server/src', what })),
    )
  })
})

describe('the rules', () => {
  it.each([
    'const port = process.env.PORT',
    'const { env } = process',
    "import { exit } from 'node:process'",
    'process.exit(1)',
    "process['exit'](1)",
  ])('find: %s', (line) => {
    const path = 'server/src/platform/a.ts'
    expect(environmentViolations([sourceFile(path, `// process.env\n${line}`)])).toMatchObject([{ line: 2 }])
    expect(environmentViolations([sourceFile('server/src/main.ts', line)])).toEqual([])
  })

  it('find what an import does besides being there', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'atrium-effects-'))
    const texts = {
      'alive.mjs': 'setTimeout(() => {}, 100)',
      'loud.mjs': "console.log('here I am')",
      'listening.mjs': "process.on('SIGTERM', () => {})",
      'global.mjs': 'globalThis.atrium = 1',
      'broken.mjs': "throw new Error('no')",
      'quiet.mjs': 'export const a = 1',
    }
    for (const [name, content] of Object.entries(texts)) await writeFile(join(folder, name), content)
    const effects = await effectsOf(Object.keys(texts).map((name) => pathToFileURL(join(folder, name)).href))
    await rm(folder, { recursive: true })
    expect(effects.map(([address, what]) => [address.split('/').at(-1), what])).toEqual([
      ['alive.mjs', 'keeps the process alive'],
      ['loud.mjs', 'writes output'],
      ['listening.mjs', 'listens to the process'],
      ['global.mjs', 'adds a global name'],
      ['broken.mjs', 'cannot be imported: Error: no'],
    ])
  })
})
