import { ECDH } from 'node:crypto'
import { isIP } from 'node:net'
import { isPublicAddress } from '../../platform/outside/public-fetch.ts'
import { invalidInput, Refusal } from '../../platform/refusal.ts'
import { webAddress } from '../../platform/text/unicode.ts'

/**
 * The address of a push service, as a URL writes it.
 * @param publicOnly whether it has to be one that the internet reaches by https; who stands behind a name is judged when it is called
 * @throws Refusal address-not-public, invalid
 */
export function requireEndpoint(text: string, publicOnly: boolean): string {
  const url = webAddress(text)
  if (!url || !['https:', 'http:'].includes(url.protocol) || url.hostname === '')
    throw invalidInput([{ field: 'endpoint', message: 'Enter an address such as https://push.example/send' }])
  if (url.username !== '' || url.password !== '')
    throw invalidInput([{ field: 'endpoint', message: 'Enter an address without user name and password' }])
  if (publicOnly && (url.protocol !== 'https:' || !mayBePublic(url.hostname)))
    throw Refusal.of('address-not-public')
  url.hash = ''
  return url.href
}

/** A name without a dot is one of the network that this office stands in. */
function mayBePublic(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  return isIP(host) ? isPublicAddress(host) : host.includes('.') && !host.endsWith('.localhost')
}

/** The public key of a browser. @throws Refusal invalid, where it is no point of P-256 */
export function requireBrowserKey(text: string): Buffer {
  const key = Buffer.from(text, 'base64url')
  try {
    ECDH.convertKey(key, 'prime256v1')
  } catch {
    throw invalidInput([
      { field: 'keys.p256dh', message: 'Give the public key of the subscription: a point of P-256' },
    ])
  }
  return key
}
