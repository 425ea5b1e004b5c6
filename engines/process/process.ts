import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from '../commands.ts'
import type { Check, Engine } from '../engine.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs')
const WITHIN_MS = 18 * 60_000

interface Report {
  testResults: {
    name: string
    message: string
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[]
  }[]
}

/** What `npm test` leaves out: tests that run offices and databases as processes, and tests that take long. */
export const processes: Engine = {
  name: 'process',
  about:
    'offices and databases as processes of their own: started, refused, cut off, stopped, killed; long trials',
  install: async () => undefined,
  try: (check) => tryFiles([], check),
  tryAgain: (check, failed) => tryFiles(failed.map(fileOf), check),
}

/** Trials of exports and imports that are larger than memory. */
export const large: Engine = {
  name: 'large',
  about: 'an archive and an import of chat that are larger than the memory of who writes and reads them',
  install: async () => undefined,
  try: (check) => tryFiles(['server/tests/process/large-'], check, { ATRIUM_LARGE: 'yes' }),
}

const nameOf = (file: string, tests: number) => `${file}: ${tests} tests`
const fileOf = (name: string) => name.replace(/: \d+ tests$/, '')

/** @param files none: all of them */
async function tryFiles(files: readonly string[], check: Check, env = {}): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-process-'))
  try {
    const path = join(folder, 'report.json')
    const args = [VITEST, 'run', '--project', 'process', '--reporter=json', `--outputFile=${path}`, ...files]
    const ended = await run(process.execPath, args, { cwd: ROOT, env, withinMs: WITHIN_MS }).catch(
      (error: Error) => error,
    )
    const report = await readFile(path, 'utf8').catch(() => {
      throw ended
    })
    const { testResults } = JSON.parse(report) as Report
    let isFailed = false
    for (const { name, message, assertionResults } of testResults) {
      const failed = assertionResults.filter(({ status }) => status === 'failed')
      const said = failed.map(({ fullName, failureMessages }) => `${fullName}: ${failureMessages[0]}`)
      const passed = assertionResults.filter(({ status }) => status === 'passed').length
      const faults = [...said, ...(message ? [message] : [])]
      isFailed ||= faults.length > 0
      await check(nameOf(relative(ROOT, name), passed), async () => {
        assert.deepEqual(faults, [])
      })
    }
    // what failed in a file is told with that file
    assert.ok(testResults.length > 0 && (isFailed || !(ended instanceof Error)), String(ended))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
