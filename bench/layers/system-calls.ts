import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'

const ATTACHED_WITHIN_MS = 1_000
/** A line of `strace -c`: share, seconds, microseconds a call, calls, errors where there are any, and the name. */
const LINE = /^\s*[\d.]+\s+[\d.]+\s+\d+\s+(\d+)\s+(?:\d+\s+)?(\w+)$/gm

/** @returns how often each was called while `work` went on; a sentence where this machine cannot count them */
export async function countSystemCalls(
  pid: number,
  work: () => Promise<void>,
): Promise<Map<string, number> | string> {
  const child = spawn('strace', ['-c', '-f', '-q', '-p', String(pid)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const printed = text(child.stderr)
  const ended = Promise.race([once(child, 'close'), once(child, 'error')]).catch((error: unknown) => [error])
  const early = await Promise.race([ended, pause(ATTACHED_WITHIN_MS)])
  if (early?.[0] instanceof Error) return 'strace is not installed: system calls are not counted.'
  if (early)
    return `strace may not look at the process (${(await printed).trim()}): system calls are not counted.`
  await work()
  child.kill('SIGINT')
  await ended
  return new Map(
    [...(await printed).matchAll(LINE)]
      .map(([, calls, name]) => [`${name}`, Number(calls)] as const)
      .filter(([name]) => name !== 'total'),
  )
}
