import type { SessionState } from '@atrium/client/session'
import type { Store } from '@atrium/client/store'
import { useSyncExternalStore } from 'react'
import { session } from './office-client.ts'

/** Any store: renders again when it changes. `@atrium/react` has the same; that one brings the whole office along. */
export function useStore<State>(store: Store<State>): State {
  return useSyncExternalStore(store.subscribe, store.get)
}

/** Who is signed in, for screens outside the office as well. */
export function useSession(): SessionState {
  return useStore(session)
}
