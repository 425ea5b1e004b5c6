import { createStore, type Store } from '../store.ts'
import { createRefresher } from './refresher.ts'

/** What a store says beside what was read. */
export interface WantedState {
  loaded: boolean
  /** Why it could not be read the last time; what is there may be old. */
  error?: unknown
}

export interface WantedStore<State> extends Store<State> {
  /** Never rejects. */
  refresh(): Promise<void>
  /** Something has changed: it is read again soon, where anything asks for it. */
  later(): void
  /**
   * Shows at once what is known without a reading, where anything asks for it.
   * @param next what it shows then; undefined: it has to be read. As it is where it is being read meanwhile
   */
  change(next: (state: State) => State | undefined): void
  /** What was read is of another organization. */
  clear(): void
  close(): void
}

export interface WantedReading<Read, State> {
  empty: State
  read(): Promise<Read>
  stateOf(read: Read): State
  /** How long reasons are gathered for one reading. */
  gatherMs: number
}

/** A store that reads nothing until it is asked for first. */
export function createWantedStore<Read, State extends WantedState>({
  empty,
  read,
  stateOf,
  gatherMs,
}: WantedReading<Read, State>): WantedStore<State> {
  const store = createStore(empty)
  let isWanted = false
  const refresher = createRefresher({
    read,
    onRead: (found: Read) => store.set(stateOf(found)),
    onError: (error) => store.update((state) => ({ ...state, error })),
    gatherMs,
  })
  const want = () => {
    if (isWanted) return
    isWanted = true
    void refresher.now()
  }
  return {
    get() {
      want()
      return store.get()
    },
    subscribe(listener) {
      want()
      return store.subscribe(listener)
    },
    refresh: refresher.now,
    later() {
      if (isWanted) refresher.soon()
    },
    change(next) {
      if (!isWanted) return
      const shown = refresher.isReading() || !store.get().loaded ? undefined : next(store.get())
      if (shown) store.set(shown)
      else refresher.soon()
    },
    clear() {
      store.set(empty)
      if (isWanted) void refresher.now()
    },
    close: refresher.close,
  }
}
