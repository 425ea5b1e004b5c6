import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>
}

/** What people call with arguments; the office has a command line of its own. */
const PROGRAMS: readonly [file: string, called: string][] = [
  ['acceptance/keep-release.ts', 'npx node acceptance/keep-release.ts'],
  ['acceptance/run.ts', 'npx node acceptance/run.ts'],
  ['bench/run.ts', 'npm run bench'],
  ['demo/run.ts', 'npm run demo'],
  ['engines/model/run.ts', 'npm run model'],
  ['engines/run.ts', 'npm run test:engines'],
  ['engines/soak/soak.ts', 'npx node engines/soak/soak.ts'],
  ['scripts/build-packages.ts', 'npm run build'],
  ['scripts/check.ts', 'npm run check'],
  ['scripts/generate.ts', 'npm run generate'],
  ['scripts/release.ts', 'npm run release'],
  ['scripts/sbom.ts', 'npx node scripts/sbom.ts'],
  ['scripts/test-faults.ts', 'npx node scripts/test-faults.ts'],
  ['scripts/what-follows.ts', 'npm run what-follows'],
  ['server/tests/data/rows-read-table.ts', 'npx node server/tests/data/rows-read-table.ts'],
  ['server/tests/process/kill-loop.ts', 'npx node server/tests/process/kill-loop.ts'],
]

const call = (file: string, ...args: string[]) =>
  spawnSync(process.execPath, [file, ...args], { cwd: ROOT, encoding: 'utf8', timeout: 120_000 })

it('what is tried is every script of package.json that takes arguments', () => {
  const files = Object.values(scripts).flatMap(
    (command) => /^node (?:--\S+ )?([\w/-]+\.ts)$/.exec(command)?.[1] ?? [],
  )
  expect(PROGRAMS.map(([file]) => file)).toEqual(expect.arrayContaining(files))
})

describe.each(PROGRAMS)('%s', (file, called) => {
  it('says what it takes, and does nothing', () => {
    for (const asked of ['--help', '-h'])
      expect(call(file, asked)).toMatchObject({
        status: 0,
        stdout: expect.stringContaining(called),
        stderr: '',
      })
  })

  it('refuses what it does not take in a sentence, with how it is called, and does nothing', () => {
    const refused = call(file, '--nonsense')
    expect(refused).toMatchObject({ status: 2, stdout: '' })
    expect(refused.stderr).toMatch(/^.*--nonsense/)
    expect(refused.stderr).toContain(called)
    expect(refused.stderr).not.toMatch(/^ {4}at /m)
  })
})

it.each([
  ['engines/soak/soak.ts', ['--minutes', 'ten'], '--minutes is "ten": it must be a whole number from 1 on'],
  ['engines/soak/soak.ts', ['--changes', '0'], '--changes is "0"'],
  ['engines/soak/soak.ts', ['--minutes'], "'--minutes <value>' argument missing"],
  ['engines/soak/soak.ts', ['60'], 'There is one argument too many: 60'],
  ['engines/soak/soak.ts', ['--connections', '100000000'], 'A process may open'],
  ['server/tests/process/kill-loop.ts', ['many'], 'The number of rounds is "many"'],
  ['scripts/test-faults.ts', ['F1', 'F99'], 'docs/operations/faults.md has no F99'],
  ['scripts/test-faults.ts', ['--seed', 'x'], '--seed is "x"'],
  ['bench/run.ts', ['nothing'], 'There is no benchmark nothing'],
  ['engines/run.ts', ['nothing'], 'There is no engine nothing'],
  ['acceptance/run.ts', ['nothing'], 'There is no walk nothing'],
  ['scripts/release.ts', [], 'Which release'],
  ['scripts/build-packages.ts', ['contract'], 'contract is not empty'],
] as const)('%s %j is refused with what is wrong', (file, args, sentence) => {
  const refused = call(file, ...args)
  expect(refused).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining(sentence) })
  expect(refused.stderr).not.toMatch(/^ {4}at /m)
})
