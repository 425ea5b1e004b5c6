export type OnFault = (error: unknown) => void

/** A timer keeps no process alive, and a failure of its work reaches `onFault`. */
export interface Timer {
  stop(): void
}

export function every(ms: number, work: () => void, onFault: OnFault): Timer {
  const timer = setInterval(() => guarded(work, onFault), ms)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}

export function after(ms: number, work: () => void, onFault: OnFault): Timer {
  const timer = setTimeout(() => guarded(work, onFault), ms)
  timer.unref()
  return { stop: () => clearTimeout(timer) }
}

function guarded(work: () => void, onFault: OnFault): void {
  try {
    work()
  } catch (error) {
    onFault(error)
  }
}
