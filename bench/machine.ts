import { execFileSync } from 'node:child_process'
import { cpus, loadavg, release, totalmem } from 'node:os'

/** Where the numbers come from: without it they cannot be compared with others. */
export interface Machine {
  cpu: string
  cores: number
  memoryGb: number
  system: string
  node: string
  /** Processes that wanted to run in the minute before: above 0.5 somebody else was at work. */
  loadBefore: number
}

export interface Revision {
  commit: string
  /** Whether files differed from it. */
  changed: boolean
}

export function machine(): Machine {
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${process.platform} ${release()} ${process.arch}`,
    node: process.version,
    loadBefore: Math.round((loadavg()[0] ?? 0) * 100) / 100,
  }
}

export function revision(): Revision {
  const git = (...args: string[]) =>
    execFileSync('git', args, {
      cwd: import.meta.dirname,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  try {
    return { commit: git('rev-parse', 'HEAD').trim(), changed: git('status', '--porcelain') !== '' }
  } catch {
    return { commit: 'unknown', changed: true }
  }
}
