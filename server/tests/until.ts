import { setTimeout as pause } from 'node:timers/promises'

type Condition = () => Promise<boolean> | boolean

/** Waits for what a busy machine may take long to do. @throws Error that says what it waited for */
export async function eventually(what: string, withinMs: number, holds: Condition): Promise<void> {
  const deadline = Date.now() + withinMs
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`${what}: not within ${withinMs / 1_000} s`)
    await pause(20)
  }
}

/** Waits until something has become true; fails after a minute, which no busy machine needs. */
export function until(condition: Condition): Promise<void> {
  return eventually('what was waited for', 60_000, condition)
}
