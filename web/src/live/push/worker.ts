/** What shows pushes, and the shell of the pages while there is no network. */
const WORKER = '/push-worker.js'

/** Has this browser keep the worker of this office, or finds that it does. */
export function registerWorker(): Promise<ServiceWorkerRegistration> {
  return navigator.serviceWorker.register(workerAddress())
}

/** As soon as there is nothing more urgent. Where a browser has no workers, pages need the network. */
export function keepShell(): void {
  if (!('serviceWorker' in navigator)) return
  const later: typeof requestIdleCallback | undefined = globalThis.requestIdleCallback
  const register = () => void registerWorker().catch(() => {})
  if (later) later(register)
  else setTimeout(register)
}

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(): string }): { createScriptURL(text: string): unknown }
}

/** The policy of the page takes the address of a script from code that vouches for it alone. */
function workerAddress(): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  const policy = trustedTypes?.createPolicy('push-worker', { createScriptURL: () => WORKER })
  return (policy?.createScriptURL(WORKER) ?? WORKER) as string
}
