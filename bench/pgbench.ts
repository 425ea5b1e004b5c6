import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { applyBareLoad } from './bare-load.ts'
import type { Contest, Sample } from './benchmark.ts'
import type { Load } from './load.ts'
import { underLoad } from './opening.ts'

export interface PgbenchRun {
  databaseUrl: string
  /** Each statement on a line of its own; `:name` stands for a variable. */
  sql: string
  variables?: Record<string, string>
  /** As in `PGOPTIONS`: settings of every connection. */
  options?: string
  connections: number
  seconds: number
}

/**
 * One statement, or a few one after the other, prepared, again and again: what the database itself can do.
 * @returns calls a second
 */
export async function pgbench(run: PgbenchRun): Promise<Sample> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-pgbench-'))
  try {
    const script = join(folder, 'statement.sql')
    await writeFile(script, `${run.sql}\n`)
    const variables = Object.entries(run.variables ?? {}).flatMap(([name, value]) => [
      '-D',
      `${name}=${value}`,
    ])
    const load = ['-n', '-M', 'prepared', '-c', String(run.connections), '-j', '1', '-T', String(run.seconds)]
    const stdout = await execute([...load, ...variables, '-f', script, run.databaseUrl], run.options)
    const perSecond = /tps = ([\d.]+)/.exec(stdout)?.[1]
    if (!perSecond) throw new Error(`pgbench said: ${stdout}`)
    const mean = /latency average = ([\d.]+)/.exec(stdout)?.[1]
    return { value: Number(perSecond), details: { 'mean ms': Number(mean) } }
  } finally {
    await rm(folder, { recursive: true })
  }
}

interface BesidePgbench {
  /** What is asked over HTTP, and what pgbench does instead. */
  request: Omit<Load, 'next' | 'connections' | 'seconds'>
  run: Omit<PgbenchRun, 'connections' | 'seconds'>
  connections: number
  seconds: number
}

/**
 * The same over HTTP and by pgbench, with as many connections. Nothing is pinned: on both sides the database has most
 * of the work, and the system finds room for it.
 */
export function besidePgbench({
  request,
  run,
  connections,
  seconds,
}: BesidePgbench): Promise<Omit<Contest, 'close'>> {
  return underLoad(seconds, {
    subject: (duration) => applyBareLoad({ ...request, connections, seconds: duration }),
    baseline: (duration) => pgbench({ ...run, connections, seconds: duration }),
  })
}

async function execute(args: readonly string[], options = ''): Promise<string> {
  const env = { ...process.env, PGOPTIONS: options }
  const { stdout } = await promisify(execFile)('pgbench', args, { env }).catch(
    (error: Error & { code?: string }) => {
      if (error.code !== 'ENOENT') throw error
      throw new Error('pgbench is not installed: it comes with the client programs of PostgreSQL')
    },
  )
  return stdout
}
