import { BlockList, isIP } from 'node:net'

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8)
LOOPBACK.addAddress('::1', 'ipv6')

/** Whether a host leads to this machine alone: a loopback address, with or without brackets, or a name of it (RFC 6761). */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[(.*)\]$/, '$1').toLowerCase()
  const version = isIP(name)
  if (version > 0) return LOOPBACK.check(name, version === 6 ? 'ipv6' : 'ipv4')
  return /^([^.]+\.)*localhost\.?$/.test(name)
}
