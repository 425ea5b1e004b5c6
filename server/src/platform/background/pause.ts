import { setTimeout } from 'node:timers/promises'

/** Resolves after `ms` milliseconds, or at once when `signal` is aborted. Never rejects. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, signal ? { signal } : {}).catch(() => {})
}
