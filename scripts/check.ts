import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

/**
 * `npm run check`: everything that needs neither a database nor a running office, at once and in seconds. One line
 * for each part; the output only of what failed.
 */

const ROOT = join(import.meta.dirname, '..')
/** The parts write into pipes: they have to be told whether a person reads along. */
const COLORS = process.stdout.isTTY === true
const TYPES_CACHE = 'node_modules/.cache/check.tsbuildinfo'

interface Part {
  name: string
  /** A script of Node in node_modules or here, and its arguments. */
  run: readonly [script: string, ...args: string[]]
}

const PARTS: readonly Part[] = [
  {
    name: 'format and lint',
    run: ['node_modules/@biomejs/biome/bin/biome', 'ci', '.', COLORS ? '--colors=force' : '--colors=off'],
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
    run: [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--config',
      'vitest.structure.config.ts',
      '--reporter',
      'dot',
    ],
  },
  { name: 'generated files', run: ['scripts/generate.ts', '--check'] },
]

const started = performance.now()
const passed = await Promise.all(PARTS.map(check))
console.log(passed.every(Boolean) ? `All good in ${seconds(started)}` : `Failed after ${seconds(started)}`)
process.exitCode = passed.every(Boolean) ? 0 : 1

async function check({ name, run }: Part): Promise<boolean> {
  const began = performance.now()
  const { FORCE_COLOR: _, ...environment } = process.env
  const env = { ...environment, ...(COLORS ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' }) }
  const child = spawn(process.execPath, run, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<boolean>((resolve) => child.on('close', (code) => resolve(code === 0)))
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  const good = await ended
  console.log(`${good ? '✓' : '✗'} ${name.padEnd(24)} ${seconds(began)}`)
  if (!good) console.log(`${[output, errors].filter(Boolean).join('\n').trimEnd()}\n`)
  return good
}

function seconds(since: number): string {
  return `${((performance.now() - since) / 1_000).toFixed(1)} s`
}
