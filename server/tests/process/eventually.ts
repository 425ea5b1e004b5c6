export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Waits for what a busy machine may take long to do. @throws Error that says what it waited for */
export async function eventually(what: string, withinMs: number, holds: () => Promise<boolean> | boolean) {
  const deadline = Date.now() + withinMs
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`${what}: not within ${withinMs / 1_000} s`)
    await pause(20)
  }
}
