/** Waits until something has become true; fails after ten seconds. */
export async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 10_000
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('it has not become true in ten seconds')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
