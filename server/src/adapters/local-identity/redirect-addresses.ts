import type { Log } from '../../platform/log.ts'
import type { RedirectAddress } from './connection-store.ts'

interface Registration {
  issuer: string
  /** Of single sign-on; the social providers each have their own by their name. */
  address?: RedirectAddress
}

/**
 * Where browsers come back to from an issuer. Each connection has an address of its own, so that an issuer cannot
 * carry the code of another one into a sign-in that was begun at itself (mix-up, RFC 9700 4.4). Connections from
 * before that keep the address they shared as long as their issuer names itself in its answers (RFC 9207), which
 * prevents the same.
 */
export function redirectAddresses(log: Pick<Log, 'warn'>) {
  const known = new Set<string>()
  const tell = (issuer: string, own: string) => {
    if (known.has(own)) return
    known.add(own)
    log.warn(
      { issuer, redirectAddress: own },
      'this single sign-on is registered with the redirect address that all shared, which is old: register its own address at the issuer, then run "atrium sso add" again',
    )
  }
  return {
    /** @param base of all ways of this kind */
    choose(
      base: string,
      { issuer, address }: Registration,
      { namesItself }: { namesItself: boolean },
    ): string {
      if (!address) return base
      const own = `${base}/${address.redirectName}`
      if (!address.sharesAddress) return own
      tell(issuer, own)
      return namesItself ? base : own
    },
    /** Whether an answer may be looked at that came back to an address. */
    accept({ pathname, searchParams }: URL, { address }: Registration): boolean {
      if (!address || pathname.endsWith(`/${address.redirectName}`)) return true
      // whom it names is compared with the issuer later on
      return address.sharesAddress && searchParams.has('iss')
    },
  }
}
