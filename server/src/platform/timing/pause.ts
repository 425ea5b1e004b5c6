import { setTimeout } from 'node:timers/promises'

/** Resolves after `ms` milliseconds, or at once when `signal` is aborted. Never rejects. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, signal ? { signal } : {}).catch(() => {})
}

/**
 * What `work` resolves to, or undefined where that takes more than `ms` milliseconds: it goes on then, unwatched. No
 * timer outlives the answer. Rejects where `work` does in time.
 */
export async function settledWithin<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  const over = new AbortController()
  try {
    return await Promise.race([work, pause(ms, over.signal).then(() => undefined)])
  } finally {
    over.abort()
  }
}
