import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { eventually } from './waiting.ts'

/** What an engine's try started and has to take away: called last first. */
export type Ends = (() => Promise<unknown>)[]

const READY_WITHIN_MS = 240_000
const END_WITHIN_MS = 30_000

/** Starts a program that is ended with the others. Its errors are shown, its output where that is asked for. */
export function start(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  ends: Ends,
  output: 'ignore' | 'inherit' = 'ignore',
): ChildProcess {
  const child = spawn(command, args, { stdio: ['ignore', output, 'inherit'], env })
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

/** Asks until the answer is 200, or whatever else will do. @throws Error where that takes longer */
export async function untilAnswers(
  url: string,
  withinMs = READY_WITHIN_MS,
  willDo: (status: number) => boolean = (status) => status === 200,
): Promise<void> {
  const answers = async () => {
    const response = await fetch(url).catch(() => undefined)
    await response?.body?.cancel()
    return response !== undefined && willDo(response.status)
  }
  await eventually(`${url} answers`, answers, { withinMs, everyMs: 50 })
}
