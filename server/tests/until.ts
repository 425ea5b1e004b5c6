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

/** A machine that does six other things at once still needs less. */
const WITHIN_MS = 240_000

/** Waits until something has become true. @throws Error where that takes four minutes */
export function until(condition: Condition, what = 'what was waited for'): Promise<void> {
  return eventually(what, WITHIN_MS, condition)
}
