import { BlockList, isIPv4, isIPv6 } from 'node:net'

const MAPPED_PREFIX = '::ffff:'
const MAPPED_BITS = 96

interface Known {
  address: string | undefined
  network: string
}

/** What was read lately, by its text: every request asks for the address and the network of its connection. */
const known = new Map<string, Known>()
/** More begin anew. */
const KNOWN_MAX = 10_000
/** No address with its zone, brackets and port is longer; longer texts are read each time. */
const KNOWN_LENGTH_MAX = 80

function knownOf(text: string): Known {
  const before = known.get(text)
  if (before) return before
  const address = readAddress(text)
  const read = { address, network: readNetwork(address ?? text) }
  if (text.length > KNOWN_LENGTH_MAX) return read
  if (known.size >= KNOWN_MAX) known.clear()
  known.set(text, read)
  return read
}

/**
 * The address in a text as proxies write it: with or without a port, brackets or quotes. IPv6 in its one canonical
 * form, IPv4 that is mapped into IPv6 as IPv4. Undefined where it holds none.
 */
export function addressIn(text: string): string | undefined {
  return knownOf(text).address
}

function readAddress(text: string): string | undefined {
  const bare = text.trim().replace(/^"(.*)"$/, '$1')
  const [, bracketed, host = bare] = /^\[([^\]]+)\](?::\d+)?$|^([^:]+):\d+$/.exec(bare) ?? []
  const address = bracketed ?? host
  if (isIPv4(address)) return bracketed === undefined ? address : undefined
  return isIPv6(address) ? canonical(address) : undefined
}

function canonical(ipv6: string): string {
  const [withoutZone = ipv6] = ipv6.split('%')
  const compressed = new URL(`http://[${withoutZone}]`).hostname.slice(1, -1)
  if (!compressed.startsWith(MAPPED_PREFIX)) return compressed
  const [high = 0, low = 0] = compressed
    .slice(MAPPED_PREFIX.length)
    .split(':')
    .map((group) => Number.parseInt(group, 16))
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/** What counts as one visitor: an IPv4 address, or the /64 of an IPv6 address, all of which one customer has. */
export function networkOf(address: string): string {
  return knownOf(address).network
}

function readNetwork(address: string): string {
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.split('::')
  const groupsOf = (part: string | undefined) => part?.split(':').filter(Boolean) ?? []
  const [left, right] = [groupsOf(head), groupsOf(tail)]
  const zeros = Array<string>(8 - left.length - right.length).fill('0')
  return `${[...left, ...zeros, ...right].slice(0, 4).join(':')}::/64`
}

/** Names for networks of no particular place. */
const NAMED: Record<string, readonly string[]> = {
  loopback: ['127.0.0.0/8', '::1'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

/** @param texts addresses, networks such as `10.0.0.0/8`, or `loopback`, `linklocal`, `uniquelocal` */
export function networksOf(texts: readonly string[]): BlockList {
  const networks = new BlockList()
  for (const text of texts.flatMap((one) => NAMED[one] ?? [one])) {
    const [written = '', bits] = text.split('/')
    const address = addressIn(written)
    if (address === undefined) throw new Error(`${text} is not an address or a network`)
    const family = isIPv4(address) ? 'ipv4' : 'ipv6'
    const mapped = family === 'ipv4' && !isIPv4(written)
    const length = bits === undefined ? undefined : Number(bits) - (mapped ? MAPPED_BITS : 0)
    if (length === undefined) networks.addAddress(address, family)
    else networks.addSubnet(address, length, family)
  }
  return networks
}

/** Whether one of the networks holds an address, which may come with its port. */
export function isAmong(networks: BlockList, text: string): boolean {
  const address = addressIn(text)
  return address !== undefined && networks.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
}
