import type { SessionState } from '@atrium/client/session'
import type { Store } from '@atrium/client/store'

const KEY = 'atrium-signed-in'

/** Whether a page on this device last saw a signed-in session. No secret, and no proof: the cookie is. */
export function isMarkedSignedIn(): boolean {
  try {
    return localStorage.getItem(KEY) !== null
  } catch {
    return false
  }
}

/** Keeps the mark as the session is. Where nothing can be kept there is none, and the office is asked more often. */
export function markSignedIn(session: Store<SessionState>): () => void {
  return session.subscribe(() => {
    const { state } = session.get()
    try {
      if (state === 'signed-in') localStorage.setItem(KEY, 'yes')
      else if (state === 'signed-out') localStorage.removeItem(KEY)
    } catch {
      // full or forbidden
    }
  })
}
