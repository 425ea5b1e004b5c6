import { setTimeout as pause } from 'node:timers/promises'

export interface Patience {
  /** Default: a minute. */
  withinMs?: number
  everyMs?: number
}

type Nothing = false | undefined

/** Asks until there is something, and answers it. @throws Error that says what was waited for */
export async function eventually<Found>(
  what: string,
  find: () => Found | Nothing | Promise<Found | Nothing>,
  { withinMs = 60_000, everyMs = 20 }: Patience = {},
): Promise<Found> {
  const deadline = Date.now() + withinMs
  for (;;) {
    const found = await find()
    if (found !== undefined && found !== false) return found
    if (Date.now() > deadline) throw new Error(`${what}: not within ${withinMs / 1_000} s`)
    await pause(everyMs)
  }
}

/** Waits for something that cannot be broken off, and no longer. @throws Error that says what was waited for */
export async function within<Result>(what: string, work: Promise<Result>, withinMs: number): Promise<Result> {
  const late = Promise.withResolvers<never>()
  const fail = () => late.reject(new Error(`${what}: not within ${withinMs / 1_000} s`))
  const timer = setTimeout(fail, withinMs)
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
