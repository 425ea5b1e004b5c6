/** Who listens to what, by the names and payloads of `Events`. */
export interface Listeners<Events extends object> {
  /** Calls `listener` at every event of the name. Answers what ends that. */
  on<Name extends keyof Events>(name: Name, listener: (payload: Events[Name]) => void): () => void
  emit<Name extends keyof Events>(name: Name, payload: Events[Name]): void
}

/**
 * A listener that throws harms neither the others nor the connection: its error is reported as uncaught, as the
 * DOM does it.
 */
export function createListeners<Events extends object>(): Listeners<Events> {
  const listeners = new Map<keyof Events, Set<(payload: never) => void>>()
  return {
    on(name, listener) {
      const known = listeners.get(name) ?? new Set()
      listeners.set(name, known.add(listener))
      return () => void known.delete(listener)
    },
    emit(name, payload) {
      for (const listener of [...(listeners.get(name) ?? [])]) {
        try {
          listener(payload as never)
        } catch (error) {
          queueMicrotask(() => {
            throw error
          })
        }
      }
    },
  }
}
