import { pathToFileURL } from 'node:url'
import { run } from '../commands.ts'
import { keep, keptAt } from '../kept.ts'

export const VERSION = '13.5.0'
/** What it depends on is what was there on this day. */
const AS_OF = '2026-11-20'
const KEPT = [`lighthouse-${VERSION}`, 'node_modules/lighthouse/core/index.js'] as const

/** Of what it tells, what is held here. */
export type Lighthouse = (url: string, settings: object) => Promise<{ lhr: LighthouseResult } | undefined>

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

export async function lighthouseProgram(): Promise<Lighthouse> {
  const { default: program } = (await import(pathToFileURL(keptAt(...KEPT)).href)) as { default: Lighthouse }
  return program
}
