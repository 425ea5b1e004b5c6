/** A value that changes, and its listeners: fits `useSyncExternalStore` as it is. */
export interface Store<State> {
  /** The same object until something changes. */
  get(): State
  /** Calls the listener after each change. Answers what ends that. */
  subscribe(listener: () => void): () => void
}

export interface WritableStore<State> extends Store<State> {
  set(next: State): void
  update(change: (state: State) => State): void
}

/** A listener that throws harms neither the others nor the caller of `set`: its error is reported as uncaught. */
export function createStore<State>(initial: State): WritableStore<State> {
  const listeners = new Set<() => void>()
  let state = initial
  const set = (next: State) => {
    if (Object.is(next, state)) return
    state = next
    for (const listener of [...listeners]) {
      try {
        listener()
      } catch (error) {
        queueMicrotask(() => {
          throw error
        })
      }
    }
  }
  return {
    get: () => state,
    set,
    update: (change) => set(change(state)),
    subscribe(listener) {
      // one of its own for each call: the same function may listen twice
      const own = () => listener()
      listeners.add(own)
      return () => void listeners.delete(own)
    },
  }
}
