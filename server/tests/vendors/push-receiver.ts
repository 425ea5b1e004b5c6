import { createECDH, randomBytes, randomUUID } from 'node:crypto'

/** What `PushSubscription.toJSON()` of a browser says. */
export interface BrowserSubscription {
  endpoint: string
  keys: { p256dh: string; auth: string }
}

/** A browser that has subscribed at a push service. */
export function newBrowser(service = 'http://127.0.0.1:9'): BrowserSubscription {
  const ecdh = createECDH('prime256v1')
  ecdh.generateKeys()
  return {
    endpoint: `${service}/send/${randomUUID()}`,
    keys: { p256dh: ecdh.getPublicKey('base64url'), auth: randomBytes(16).toString('base64url') },
  }
}
