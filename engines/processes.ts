import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** What an engine's try started and has to take away: called last first. */
export type Ends = (() => Promise<unknown>)[]

const READY_WITHIN_MS = 60_000
const END_WITHIN_MS = 30_000

/** Starts a program that is ended with the others. Its errors are shown, its output is not. */
export function start(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  ends: Ends,
): ChildProcess {
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'], env })
  ends.push(() => end(child, 'SIGTERM'))
  return child
}

/** Ends a program, by force where it does not go. */
export async function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  const late = setTimeout(() => child.kill('SIGKILL'), END_WITHIN_MS)
  await ended
  clearTimeout(late)
}

/** Asks until the answer is 200. @throws Error where that takes longer */
export async function untilAnswers(url: string, withinMs = READY_WITHIN_MS): Promise<void> {
  const deadline = Date.now() + withinMs
  while (Date.now() < deadline) {
    const response = await fetch(url).catch(() => undefined)
    await response?.body?.cancel()
    if (response?.status === 200) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`${url} did not answer within ${withinMs / 1_000} s`)
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (typeof address !== 'object' || !address) throw new Error('no free port')
  return address.port
}
