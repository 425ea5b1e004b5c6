/** Who writes in a conversation at the moment, and that one writes oneself. */
export interface Typing {
  /** Tells the others, at most once in a while however often it is called. */
  tell(): void
  /** A person writes: shown for some seconds. */
  hear(userId: string): void
  /** What they wrote is there. */
  sent(userId: string): void
  close(): void
}

export interface TypingOptions {
  /** Tells the office. What fails is not told: the next one comes soon. */
  send(): Promise<unknown>
  /** Told whenever a person begins or ends. */
  onChange(userIds: readonly string[]): void
}

/** Somewhat more than the office waits before it tells the others again. */
const TELL_EVERY_MS = 2_500
/** Longer than two hints of a person who goes on are apart. */
const SHOWN_MS = 6_000

export function createTyping({ send, onChange }: TypingOptions): Typing {
  const timers = new Map<string, ReturnType<typeof setTimeout>>()
  let toldAt = Number.NEGATIVE_INFINITY
  const end = (userId: string) => {
    clearTimeout(timers.get(userId))
    if (timers.delete(userId)) onChange([...timers.keys()])
  }
  return {
    tell() {
      if (performance.now() - toldAt < TELL_EVERY_MS) return
      toldAt = performance.now()
      send().catch(() => {})
    },
    hear(userId) {
      const isNew = !timers.has(userId)
      clearTimeout(timers.get(userId))
      timers.set(
        userId,
        setTimeout(() => end(userId), SHOWN_MS),
      )
      if (isNew) onChange([...timers.keys()])
    },
    sent: end,
    close() {
      for (const timer of timers.values()) clearTimeout(timer)
      timers.clear()
    },
  }
}
