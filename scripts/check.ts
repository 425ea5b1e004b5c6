import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { readCommandLine } from './command-line.ts'

const USAGE = `npm run check [-- --fix]

Everything that needs neither a database nor a running office, at once and in seconds: format, lint, types,
structure, generated files. One line for each part; the output only of what failed.
  --fix  mends first what can be mended safely (format, imports), and writes the generated files`

const ROOT = join(import.meta.dirname, '..')
/** The parts write into pipes: they have to be told whether a person reads along. */
const COLORS = process.stdout.isTTY === true
const TYPES_CACHE = 'node_modules/.cache/check.tsbuildinfo'

interface Part {
  name: string
  /** A script of Node in node_modules or here, and its arguments. */
  run: readonly [script: string, ...args: string[]]
}

const BIOME = 'node_modules/@biomejs/biome/bin/biome'

/** One after the other, before anything is looked at. */
const FIXES: readonly Part[] = [
  { name: 'generated files, written', run: ['scripts/generate.ts'] },
  { name: 'format and lint, mended', run: [BIOME, 'check', '--write', '--reporter=summary', '.'] },
]

const PARTS: readonly Part[] = [
  {
    name: 'format and lint',
    run: [BIOME, 'ci', '.', COLORS ? '--colors=force' : '--colors=off'],
  },
  {
    name: 'types',
    // what is known from the last run makes the next one a second long
    run: [
      'node_modules/typescript/bin/tsc',
      '--noEmit',
      '-p',
      '.',
      '--incremental',
      '--tsBuildInfoFile',
      TYPES_CACHE,
    ],
  },
  {
    name: 'structure and contract',
    run: ['node_modules/vitest/vitest.mjs', 'run', '--project', 'structure', '--reporter', 'dot'],
  },
  { name: 'generated files', run: ['scripts/generate.ts', '--check'] },
]

const started = performance.now()
const { values } = readCommandLine({ usage: USAGE, options: { fix: { type: 'boolean' } } })
// what cannot be mended is told of by the checks
if (values.fix) for (const fix of FIXES) await run(fix)
const passed = await Promise.all(PARTS.map(check))
console.log(passed.every(Boolean) ? `All good in ${seconds(started)}` : `Failed after ${seconds(started)}`)
process.exitCode = passed.every(Boolean) ? 0 : 1

async function check(part: Part): Promise<boolean> {
  const began = performance.now()
  const { good, output } = await run(part)
  console.log(`${good ? '✓' : '✗'} ${part.name.padEnd(24)} ${seconds(began)}`)
  if (!good) console.log(`${output}\n`)
  return good
}

async function run(part: Part): Promise<{ good: boolean; output: string }> {
  const { FORCE_COLOR: _, ...environment } = process.env
  const env = { ...environment, ...(COLORS ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' }) }
  const child = spawn(process.execPath, part.run, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<boolean>((resolve) => child.on('close', (code) => resolve(code === 0)))
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { good: await ended, output: [output, errors].filter(Boolean).join('\n').trimEnd() }
}

function seconds(since: number): string {
  return `${((performance.now() - since) / 1_000).toFixed(1)} s`
}
