import { setTimeout } from 'node:timers/promises'

/** What decides how late it is; a test may hold its own. */
export interface Clock {
  now(): Date
}

export type OnFault = (error: unknown) => void

/** A timer keeps no process alive, and a failure of its work reaches `onFault`. */
export interface Timer {
  stop(): void
}

export function every(ms: number, work: () => unknown, onFault: OnFault): Timer {
  const timer = setInterval(() => guarded(work, onFault), ms)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}

export function after(ms: number, work: () => unknown, onFault: OnFault): Timer {
  const timer = globalThis.setTimeout(() => guarded(work, onFault), ms)
  timer.unref()
  return { stop: () => clearTimeout(timer) }
}

/** Runs work that must not end the process, neither by throwing nor by a rejected promise. */
export function guarded(work: () => unknown, onFault: OnFault): void {
  try {
    const done = work()
    if (done instanceof Promise) done.catch(onFault)
  } catch (error) {
    onFault(error)
  }
}

/** Resolves after `ms` milliseconds, or at once when `signal` is aborted. Never rejects. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, signal ? { signal } : {}).catch(() => {})
}
