type OnFault = (error: unknown) => void

export interface Timer {
  /** Not once more. What runs at the moment comes to its end. */
  stop(): void
}

/**
 * Runs work and catches its failure, which would end the process as an exception in a timer or a rejected promise
 * without a waiter.
 * @param onFault told what it threw
 */
export function guarded(work: () => unknown, onFault: OnFault): void {
  try {
    const done = work()
    if (done instanceof Promise) done.catch(onFault)
  } catch (error) {
    onFault(error)
  }
}

/** `setInterval` that catches failures: the next turn comes all the same. It keeps no process alive. */
export function every(ms: number, work: () => unknown, onFault: OnFault): Timer {
  const timer = setInterval(() => guarded(work, onFault), ms)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}

/** `setTimeout` that catches failures. It keeps no process alive. */
export function after(ms: number, work: () => unknown, onFault: OnFault): Timer {
  const timer = setTimeout(() => guarded(work, onFault), ms)
  timer.unref()
  return { stop: () => clearTimeout(timer) }
}

/** `setImmediate` for work that comes again and again, made once: the end of the turn of the event loop that runs. */
export function turnEnd(work: () => unknown, onFault: OnFault): () => void {
  const run = () => guarded(work, onFault)
  return () => {
    setImmediate(run)
  }
}
