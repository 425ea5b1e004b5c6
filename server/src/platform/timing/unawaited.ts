/** Work that no request waits for, but closing does. */
export interface Unawaited {
  /** Lets something go on by itself. @param onError told why it failed */
  begin(work: Promise<unknown>, onError: (error: unknown) => void): void
  /** How much goes on at the moment. */
  size(): number
  /** Waits for all of it. */
  settle(): Promise<void>
}

export function unawaited(): Unawaited {
  const running = new Set<Promise<unknown>>()
  return {
    begin(work, onError) {
      const watched = work.catch(onError).finally(() => running.delete(watched))
      running.add(watched)
    },
    size: () => running.size,
    async settle() {
      await Promise.all(running)
    },
  }
}
