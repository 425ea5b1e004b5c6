import type { FastifyRequest } from 'fastify'
import { addressIn, isAmong, networksOf } from './network-address.ts'

/**
 * Whether X-Forwarded-For of an address is believed, because it is a trusted proxy's; what Fastify is told as
 * `trustProxy`.
 */
export function trustedProxies(networks: readonly string[]): ((address: string) => boolean) | false {
  if (networks.length === 0) return false
  const trusted = networksOf(networks)
  return (address) => isAmong(trusted, address)
}

/**
 * The network address of a request's sender, without a port: the nearest one that no trusted proxy stands for. Where a
 * proxy passes on what is no address, its own: text that clients write there does not make them many.
 */
export function clientAddressOf(request: FastifyRequest): string {
  const hops = request.ips ?? [request.ip]
  for (const hop of hops.toReversed()) {
    const address = addressIn(hop)
    if (address !== undefined) return address
  }
  return request.ip
}
