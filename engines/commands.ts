import { spawn } from 'node:child_process'

export interface CommandOptions {
  /** Names that are set beside the environment of this process. */
  env?: Record<string, string>
  cwd?: string
  /** User and group to run as, where this process is root. */
  uid?: number
  gid?: number
  withinMs?: number
}

const WITHIN_MS = 10 * 60_000

/** Runs a command to its end. @returns what it wrote. @throws Error with the end of its output where it failed */
export async function run(command: string, args: string[], options: CommandOptions = {}): Promise<string> {
  const { env, withinMs = WITHIN_MS, ...rest } = options
  const child = spawn(command, args, {
    ...rest,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: withinMs,
    killSignal: 'SIGKILL',
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  child.once('error', reject)
  child.once('close', (code) => {
    if (code === 0) resolve(output)
    else reject(new Error(`${command} ended with ${code}\n${output.slice(-6_000)}`))
  })
  return promise
}
