import { registerWorker } from './worker.ts'

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
  const { pushManager } = await registerWorker()
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
