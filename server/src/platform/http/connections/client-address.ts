import type { FastifyRequest } from 'fastify'
import { addressIn, isAmong, networksOf } from './network-address.ts'

/** Whether an address is a proxy's whose X-Forwarded-For is believed; what Fastify is told as `trustProxy`. */
export function trustedProxies(networks: readonly string[]): ((address: string) => boolean) | false {
  if (networks.length === 0) return false
  const trusted = networksOf(networks)
  return (address) => isAmong(trusted, address)
}

/**
 * The network address of whoever sends a request, without a port: the nearest one that no trusted proxy stands for.
 * Where a proxy passes on what is no address, its own: whatever clients write there, they stay one client.
 */
export function clientAddressOf(request: FastifyRequest): string {
  const hops = request.ips ?? [request.ip]
  for (const hop of hops.toReversed()) {
    const address = addressIn(hop)
    if (address !== undefined) return address
  }
  return request.ip
}
