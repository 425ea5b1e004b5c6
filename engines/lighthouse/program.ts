import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '../commands.ts'
import { keep, keptAt } from '../kept.ts'

export const VERSION = '13.5.0'
/** What it depends on is what was there on this day. */
const AS_OF = '2026-11-20'
const KEPT = [`lighthouse-${VERSION}`, 'node_modules/lighthouse/cli/index.js'] as const

/** Of what it tells, what is held here. */
export interface LighthouseResult {
  runtimeError?: { message: string }
  categories: Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>
  audits: Record<string, { score: number | null; title: string; details?: unknown }>
}

/** @returns why it cannot be had here */
export async function installLighthouse(): Promise<string | undefined> {
  const options = ['--ignore-scripts', '--no-save', '--no-audit', '--no-fund', '--before', AS_OF]
  try {
    await keep(...KEPT, async (draft) => {
      await run('npm', ['install', ...options, '--prefix', draft, `lighthouse@${VERSION}`], { cwd: draft })
    })
  } catch (error) {
    return `the package lighthouse@${VERSION} cannot be had: ${(error as Error).message.split('\n')[0]}`
  }
  return undefined
}

/**
 * Looks at a page in a browser that runs already.
 * @param port of its protocol for tools
 */
export async function look(
  url: string,
  port: number,
  categories: readonly string[],
): Promise<LighthouseResult> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-lighthouse-'))
  const told = join(folder, 'told.json')
  try {
    await run(process.execPath, [
      ...[keptAt(...KEPT), url, `--port=${port}`, '--quiet', '--output=json', `--output-path=${told}`],
      ...[
        `--only-categories=${categories.join(',')}`,
        '--disable-storage-reset',
        '--no-enable-error-reporting',
      ],
      ...['--throttling-method=provided', '--form-factor=desktop', '--screenEmulation.disabled'],
    ])
    return JSON.parse(await readFile(told, 'utf8')) as LighthouseResult
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
