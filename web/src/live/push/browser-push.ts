/** Where the worker lies that shows what is pushed. */
const WORKER = '/push-worker.js'

/** What the office is told of a browser's subscription. */
export interface PushAddress {
  endpoint: string
  keys: { p256dh: string; auth: string }
}

/** Whether this browser can tell of anything while no page of the office is open. */
export function canPush(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window
}

/**
 * Subscribes this browser at its push service, or finds that it is.
 * @param pushKey of this office: a subscription under another key is ended
 * @throws what the browser throws where it does not allow it, or reaches no push service
 */
export async function subscribeBrowser(pushKey: string): Promise<PushAddress> {
  const { pushManager } = await navigator.serviceWorker.register(workerAddress())
  const former = await pushManager.getSubscription()
  if (former && keyOf(former) !== pushKey) await former.unsubscribe()
  const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: pushKey })
  const { endpoint = '', keys: { p256dh = '', auth = '' } = {} } = made.toJSON()
  return { endpoint, keys: { p256dh, auth } }
}

/** Ends what `subscribeBrowser` made. */
export async function unsubscribeBrowser(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration()
  const subscription = await registration?.pushManager.getSubscription()
  await subscription?.unsubscribe()
}

/** In base64url without padding, as the office writes it. */
function keyOf({ options: { applicationServerKey } }: PushSubscription): string {
  const bytes = new Uint8Array(applicationServerKey ?? new ArrayBuffer(0))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
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
