import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

const ASK_EVERY_MS = 5
const READY_WITHIN_MS = 60_000
const STOP_WITHIN_MS = 30_000
const ERRORS_KEPT = 4_000

/** A server in a process of its own, ready to be asked. */
export interface ServerProcess {
  pid: number
  /** From the start of the process to the first answer 200. */
  readyAfterMs: number
  stop(): Promise<void>
}

export interface ServerStart {
  script: string
  args?: readonly string[]
  /** What stands before the script on the command line of Node. */
  nodeOptions?: readonly string[]
  environment: Record<string, string>
  port: number
  /** Asked until it answers 200. */
  readyPath: string
}

/**
 * Starts a Node server and waits until it answers.
 * @throws Error with the end of what it printed where it ends or stays silent instead
 */
export async function startServer(start: ServerStart): Promise<ServerProcess> {
  const began = performance.now()
  const line = [...(start.nodeOptions ?? []), start.script, ...(start.args ?? [])]
  const child = spawn(process.execPath, line, {
    env: { ...withoutSettings(), ...start.environment },
    // logs go nowhere, as fast as that is; the channel ends the child when we die of whatever cause
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    detached: process.platform !== 'win32',
  })
  let errors = ''
  child.stderr?.on('data', (chunk) => {
    errors = (errors + chunk).slice(-ERRORS_KEPT)
  })
  while (!(await answers(start.port, start.readyPath))) {
    const late = performance.now() - began > READY_WITHIN_MS
    if (late) child.kill('SIGKILL')
    if (late || hasEnded(child)) throw new Error(`${start.script} did not get ready.\n${errors}`)
    await pause(ASK_EVERY_MS)
  }
  return { pid: child.pid ?? 0, readyAfterMs: performance.now() - began, stop: () => stop(child) }
}

/** Our environment, but nothing of it that would lead to an office in use. */
function withoutSettings(): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, SystemRoot } = process.env
  return Object.fromEntries(Object.entries({ PATH, HOME, TMPDIR, SystemRoot }).filter(([, value]) => value))
}

function answers(port: number, path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const asking = request({ host: '127.0.0.1', port, path, agent: false, timeout: 2_000 }, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    })
    asking.on('timeout', () => asking.destroy())
    asking.on('error', () => resolve(false))
    asking.end()
  })
}

async function stop(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const late = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS)
  await ended
  clearTimeout(late)
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}
