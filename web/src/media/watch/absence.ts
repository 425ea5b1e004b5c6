/** After more than so long away a call does not come back by itself: its person is asked. */
export const AWAY_MS = 60_000
const LOOK_EVERY_MS = 5_000

/**
 * Tells once when this page has slept for longer than that: a lid was closed, or the browser put the tab to sleep. By the
 * clock on the wall, for the other one stands still while a machine sleeps.
 * @returns what ends the watch
 */
export function watchAbsence(onReturn: () => void): () => void {
  const ended = new AbortController()
  const { signal } = ended
  let seenAt = Date.now()
  const look = () => {
    const now = Date.now()
    const wasAway = now - seenAt > AWAY_MS
    seenAt = now
    if (!wasAway || signal.aborted) return
    stop()
    onReturn()
  }
  const timer = setInterval(look, LOOK_EVERY_MS)
  const stop = () => {
    clearInterval(timer)
    ended.abort()
  }
  // earlier than the timer, where the browser tells
  if (typeof document !== 'undefined')
    for (const event of ['visibilitychange', 'resume']) document.addEventListener(event, look, { signal })
  return stop
}
