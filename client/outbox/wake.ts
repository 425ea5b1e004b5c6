/** Calls back when the network is back or the page is looked at again. Answers what ends that. */
export function onWake(wake: () => void): () => void {
  if (typeof document === 'undefined' || typeof addEventListener === 'undefined') return () => {}
  const look = () => document.visibilityState === 'visible' && wake()
  addEventListener('online', wake)
  document.addEventListener('visibilitychange', look)
  return () => {
    removeEventListener('online', wake)
    document.removeEventListener('visibilitychange', look)
  }
}
