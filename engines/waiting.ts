import { setTimeout as pause } from 'node:timers/promises'

export interface Patience {
  /** Default: a minute. */
  withinMs?: number
  everyMs?: number
}

/** Asks until something holds. @throws Error that says what was waited for */
export async function eventually(
  what: string,
  holds: () => boolean | Promise<boolean>,
  { withinMs = 60_000, everyMs = 20 }: Patience = {},
): Promise<void> {
  const deadline = Date.now() + withinMs
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`${what}: not within ${withinMs / 1_000} s`)
    await pause(everyMs)
  }
}
