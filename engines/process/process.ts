import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from '../commands.ts'
import type { Engine } from '../engine.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs')
const WITHIN_MS = 15 * 60_000

interface Report {
  testResults: {
    name: string
    message: string
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[]
  }[]
}

/** The operating system: tests whose offices and databases are processes, which `npm test` leaves out. */
export const processes: Engine = {
  name: 'process',
  about: 'offices and databases as processes of their own: started, refused, cut off, stopped, killed',
  install: async () => undefined,
  async try(check) {
    const folder = await mkdtemp(join(tmpdir(), 'atrium-process-'))
    try {
      const path = join(folder, 'report.json')
      const args = [VITEST, 'run', '--project', 'process', '--reporter=json', `--outputFile=${path}`]
      const ended = await run(process.execPath, args, { cwd: ROOT, withinMs: WITHIN_MS }).catch(
        (error: Error) => error,
      )
      const report = await readFile(path, 'utf8').catch(() => {
        throw ended
      })
      const { testResults } = JSON.parse(report) as Report
      for (const { name, message, assertionResults } of testResults) {
        const failed = assertionResults.filter(({ status }) => status === 'failed')
        const said = failed.map(({ fullName, failureMessages }) => `${fullName}: ${failureMessages[0]}`)
        const passed = assertionResults.filter(({ status }) => status === 'passed').length
        await check(`${relative(ROOT, name)}: ${passed} tests`, async () => {
          assert.deepEqual([...said, ...(message ? [message] : [])], [])
        })
      }
      assert.ok(testResults.length > 0 && !(ended instanceof Error), String(ended))
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
}
