import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { cpus, loadavg, tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { readCommandLine } from './command-line.ts'
import { type FaultRow, type FaultTest, faultRows, patternOf } from './fault-rows.ts'

const USAGE = `npx node scripts/test-faults.ts [F1 F23 …] [--rounds N] [--seed N] [--json file]

The tests of the rows of docs/operations/faults.md, all of them where none is named, one row after the other. Writes
what was found and measured as JSON (node_modules/.cache/faults.json); ends with 1 where anything failed.
  --rounds N  how often what is tried again and again is tried
  --seed N    the same as in the run that has printed it`

const ROOT = join(import.meta.dirname, '..')
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs')

interface Outcome extends FaultTest {
  /** `missing`: no test has run that is called so. */
  status: 'passed' | 'failed' | 'skipped' | 'missing'
  ms: number
  figures?: Record<string, number>
  failure?: string
}

interface Assertion {
  title: string
  status: string
  duration?: number
  failureMessages: string[]
  meta?: { figures?: Record<string, number> }
}

const { values, positionals, refuse, number } = readCommandLine({
  usage: USAGE,
  names: Number.POSITIVE_INFINITY,
  options: { rounds: { type: 'string' }, seed: { type: 'string' }, json: { type: 'string' } },
})
const rows = faultRows()
const unknown = positionals.filter((asked) => !rows.some(({ name }) => name === asked))
if (unknown.length > 0) refuse(`docs/operations/faults.md has no ${unknown.join(', ')}.`)
if (values.rounds !== undefined) number('--rounds', values.rounds)
const seed = values.seed === undefined ? randomInt(1, 2 ** 31) : number('--seed', values.seed)
const file = resolve(values.json ?? join(ROOT, 'node_modules/.cache/faults.json'))
const environment = {
  ...process.env,
  FAULT_SEED: String(seed),
  ...(values.rounds && { FAULT_ROUNDS: values.rounds }),
}

const began = new Date()
const known = new Map<string, Outcome>()
const results: { name: string; fault: string; passed: boolean; tests: Outcome[] }[] = []
for (const row of rows.filter(({ name }) => positionals.length === 0 || positionals.includes(name))) {
  const tests = await tryRow(row)
  const passed = tests.every(({ status }) => status === 'passed')
  results.push({ name: row.name, fault: row.fault, passed, tests })
  console.log(`${passed ? '✓' : '✗'} ${row.name} ${row.fault}`)
  for (const test of tests) console.log(`    ${described(test)}`)
  // after each: a run that is broken off has told of what it had
  await mkdir(dirname(file), { recursive: true })
  const machine = { processors: cpus().length, loadAverage: loadavg()[0] }
  const result = { seed, rounds: values.rounds, began, ended: new Date(), machine, faults: results }
  await writeFile(file, `${JSON.stringify(result, undefined, 2)}\n`)
}
const failed = results.filter(({ passed }) => !passed).length
console.log(`${results.length - failed} passed, ${failed} failed; seed ${seed}; ${file}`)
process.exitCode = failed === 0 ? 0 : 1

function described({ status, title, ms, figures, failure }: Outcome): string {
  const measures = Object.entries(figures ?? {}).map(([name, value]) => `${name} ${value}`)
  const parts = [status, `${Math.round(ms / 1_000)} s`, title, ...measures, failure ?? '']
  return parts.filter(Boolean).join(' · ')
}

async function tryRow({ tests }: FaultRow): Promise<Outcome[]> {
  const byCommand = Map.groupBy(
    tests.filter((test) => !known.has(keyOf(test))),
    commandOf,
  )
  for (const [command, group] of byCommand) {
    const found = command.startsWith('engine ')
      ? await tryEngine(command.slice('engine '.length), group)
      : await tryTests(command, group)
    for (const outcome of found) known.set(keyOf(outcome), outcome)
  }
  return tests.flatMap((test) => known.get(keyOf(test)) ?? [])
}

function keyOf({ file, title }: FaultTest): string {
  return `${file}\n${title}`
}

/** The project of Vitest, or `engine` and its name. */
function commandOf({ file }: FaultTest): string {
  const [, engine] = /^engines\/([\w-]+)\//.exec(file) ?? []
  if (engine) return `engine ${engine}`
  if (file.startsWith('server/tests/faults/')) return 'faults'
  return file.startsWith('server/tests/process/') ? 'process' : 'office'
}

async function tryTests(project: string, tests: readonly FaultTest[]): Promise<Outcome[]> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-faults-'))
  const path = join(folder, 'report.json')
  try {
    const names = tests.map(patternOf).join('|')
    const args = ['run', '--project', project, '-t', names, '--reporter=json', `--outputFile=${path}`]
    const { output } = await run([VITEST, ...args, ...new Set(tests.map((test) => test.file))])
    const report = await readFile(path, 'utf8').catch(() => {
      throw new Error(`Vitest wrote no report: ${output}`)
    })
    const { testResults } = JSON.parse(report) as {
      testResults: { name: string; assertionResults: Assertion[] }[]
    }
    return tests.map((test) => {
      const ofFile = testResults.filter(({ name }) => name.endsWith(test.file))
      const pattern = new RegExp(`^${patternOf(test)}$`)
      return outcomeOf(
        test,
        ofFile.flatMap((one) => one.assertionResults).filter(({ title }) => pattern.test(title)),
      )
    })
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Of several that are one test with different blanks, the one that failed says how it ended. */
function outcomeOf(test: FaultTest, assertions: readonly Assertion[]): Outcome {
  const ms = assertions.reduce((sum, { duration = 0 }) => sum + duration, 0)
  const figures: Record<string, number> = Object.assign({}, ...assertions.map(({ meta }) => meta?.figures))
  const measured = Object.keys(figures).length > 0 ? { figures } : {}
  const failure = assertions.find(({ status }) => status === 'failed')
  if (failure)
    return { ...test, ...measured, ms, status: 'failed', failure: failure.failureMessages[0] ?? '' }
  if (assertions.length === 0) return { ...test, ms, status: 'missing' }
  const status = assertions.some((one) => one.status === 'passed') ? 'passed' : 'skipped'
  return { ...test, ...measured, ms, status }
}

async function tryEngine(name: string, tests: readonly FaultTest[]): Promise<Outcome[]> {
  const { output } = await run([join(ROOT, 'engines/run.ts'), name])
  return tests.map((test) => {
    const pattern = new RegExp(`^ *(✓|✗) ${name}[\\w-]*: ${patternOf(test)} \\((\\d+) ms\\)$`, 'm')
    const [, sign, ms] = pattern.exec(output) ?? []
    const status =
      sign === '✓' ? 'passed' : sign ? 'failed' : output.includes('skipped:') ? 'skipped' : 'missing'
    const details = status === 'failed' ? { failure: output.slice(-2_000) } : {}
    return { ...test, ...details, ms: Number(ms ?? 0), status }
  })
}

async function run(args: readonly string[]): Promise<{ output: string }> {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
  await new Promise((ended) => child.on('close', ended))
  return { output }
}
