import { outside } from '../../platform/outside/outside.ts'
import type { Fetch } from '../../platform/outside/outside-fetch.ts'
import { type KeyRing, openOrNothing, seal } from '../../platform/secrets/sealed-column.ts'
import { newToken } from '../../platform/secrets/secret.ts'

/** Sign-out at an issuer (OpenID Connect RP-Initiated Logout 1.0), so that its session ends with ours. */

/** Longer addresses are cut off by servers on the way. */
const ADDRESS_MAX = 2_048
const HOPS_MAX = 5
const PREFIX = 'issuer'

export interface IssuerSignOut {
  /** Its `end_session_endpoint`. */
  endpoint: string
  clientId: string
  idToken: string
  /** What the person signs in there by. */
  hint: string
}

/** Where issuers send browsers then: what their administrators register as the address after a sign-out. */
export function pageAfterSignOut(frontendUrl: string): string {
  return `${frontendUrl}/`
}

/** Where to send a browser. @param returnTo where the issuer sends it then: registered there by its administrator */
export function signOutAddress(
  { endpoint, clientId, idToken, hint }: IssuerSignOut,
  returnTo: string,
): string {
  const address = new URL(endpoint)
  address.searchParams.set('post_logout_redirect_uri', returnTo)
  address.searchParams.set('id_token_hint', idToken)
  if (address.href.length <= ADDRESS_MAX) return address.href
  address.searchParams.delete('id_token_hint')
  address.searchParams.set('client_id', clientId)
  if (hint !== '') address.searchParams.set('logout_hint', hint)
  return address.href
}

/** Whether a sign-out returns: follows its redirects once, as a browser without a user. Never fails. */
export async function leadsBack(fetch: Fetch, address: string, returnTo: string): Promise<boolean> {
  const { origin } = new URL(address)
  let at = address
  try {
    for (let hop = 0; hop < HOPS_MAX; hop += 1) {
      const answer = await outside({ provider: 'issuer', action: 'sign out' }, () =>
        fetch(at, { redirect: 'manual' }),
      )
      await answer.body?.cancel()
      const location = answer.headers.get('location')
      if (answer.status < 300 || answer.status > 399 || location === null) return false
      const next = new URL(location, at)
      if (isAddressOf(returnTo, next)) return true
      if (next.origin !== origin) return false
      at = next.href
    }
  } catch {
    // away, or no address: no browser is sent there
  }
  return false
}

/** The same address, whatever the issuer has added to it. */
function isAddressOf(returnTo: string, { origin, pathname }: URL): boolean {
  const wanted = new URL(returnTo)
  return origin === wanted.origin && pathname === wanted.pathname
}

/** The address as it is kept with a session: it holds what the issuer says of the person. */
export function sealSignOut(ring: KeyRing, address: string): string {
  const name = newToken(PREFIX)
  return `${name}.${seal(ring, address, contextOf(name)).toString('base64url')}`
}

/** Undefined where it is none, or was sealed under a key that is no longer ours. */
export function openSignOut(ring: KeyRing, kept: string | null): string | undefined {
  const [name = '', sealed] = kept?.split('.') ?? []
  if (!name.startsWith(`${PREFIX}_`) || sealed === undefined) return undefined
  return openOrNothing(ring, Buffer.from(sealed, 'base64url'), contextOf(name))?.toString()
}

function contextOf(name: string): [string, string] {
  return ['sessions.upstream_session', name]
}
