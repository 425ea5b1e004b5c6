import { lookup as lookUp } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Fetch } from './outside-fetch.ts'

/**
 * An address that a stranger's vendor may not have: of this machine, of the network it stands in, or an unassigned one.
 */
class AddressNotPublic extends Error {
  constructor(host: string, address: string, allowedBy: string) {
    super(`${host} is at ${address}, which is not public; ${allowedBy} allows it`)
    this.name = 'AddressNotPublic'
  }
}

/** Everything that is public by IPv6 lies here (IANA: Global Unicast). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/** Whether an address belongs to a host that the whole internet can reach. */
export function isPublicAddress(address: string): boolean {
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast') return false
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_UNICAST)
}

/** Whether a host may be one that the whole internet can reach: a name without a dot is one of the network that this office stands in. */
export function mayBePublic(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  return isIP(host) ? isPublicAddress(host) : host.includes('.') && !host.endsWith('.localhost')
}

type LookUp = typeof lookUp

/**
 * A fetch for addresses that others have chosen: https only, to public addresses only, and it follows no redirect. The
 * address is judged as the connection is made, not before: a name that leads elsewhere a moment later (DNS rebinding)
 * leads nowhere.
 * @param allowedBy the setting that allows other addresses, for the reader of the failure
 */
export function publicFetch({ lookup = lookUp, allowedBy = 'ATRIUM_ALLOW_PRIVATE_ISSUERS' } = {}): Fetch {
  let made: ReturnType<typeof publicAgent> | undefined
  return async (url, init) => {
    const { protocol, host } = new URL(url)
    if (protocol !== 'https:') throw new TypeError(`${protocol}//${host} is not reached by https`)
    made ??= publicAgent(lookup, allowedBy)
    const { fetch, dispatcher } = await made
    const answer = await fetch(url, { ...(init as object), redirect: 'manual', dispatcher })
    return answer as unknown as Response
  }
}

/** Its hundred files are read when the first stranger is asked: no start waits for them. */
async function publicAgent(lookup: LookUp, allowedBy: string) {
  const { Agent, buildConnector, fetch } = await import('undici')
  const connect = buildConnector({ lookup: publicLookup(lookup, allowedBy) })
  const dispatcher = new Agent({
    connect(options, callback) {
      // of a name the lookup decides; an address is not looked up
      const address = options.hostname.replace(/^\[|\]$/g, '')
      if (isIP(address) && !isPublicAddress(address))
        callback(new AddressNotPublic(address, address, allowedBy), null)
      else connect(options, callback)
    },
  })
  return { fetch, dispatcher }
}

/** Knows names only that lead to nothing but public addresses. */
function publicLookup(lookup: LookUp, allowedBy: string): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, [])
      const hidden = addresses.find(({ address }) => !isPublicAddress(address))
      if (hidden) return callback(new AddressNotPublic(hostname, hidden.address, allowedBy), [])
      const [first] = addresses
      if (options.all || !first) return callback(null, addresses)
      callback(null, first.address, first.family)
    })
  }
}
