const NAME = 'atrium-announces'
/** A tab that is looked at answers within this. */
const ANSWER_MS = 150

export interface Speaker {
  /** Whether this tab is the one to sound and to notify: one of all, and none where another is looked at. */
  speaks(): Promise<boolean>
  close(): void
}

/**
 * Of several tabs of one browser one speaks: the one that holds a lock, which passes on when it is closed.
 * @param isLookedAt whether this tab is
 */
export function createSpeaker(isLookedAt: () => boolean): Speaker {
  const channel = new BroadcastChannel(NAME)
  const end = Promise.withResolvers<void>()
  // a browser without locks has every tab speak
  let holds = !('locks' in navigator)
  if (!holds)
    navigator.locks
      .request(NAME, () => {
        holds = true
        return end.promise
      })
      .catch(() => {})
  let hear: (() => void) | undefined
  channel.onmessage = ({ data }) => {
    if (data === 'who-looks' && isLookedAt()) channel.postMessage('i-look')
    if (data === 'i-look') hear?.()
  }
  return {
    async speaks() {
      if (isLookedAt()) return true
      if (!holds) return false
      const { promise, resolve } = Promise.withResolvers<boolean>()
      hear = () => resolve(false)
      channel.postMessage('who-looks')
      setTimeout(resolve, ANSWER_MS, true)
      return await promise
    },
    close() {
      channel.close()
      end.resolve()
    },
  }
}
