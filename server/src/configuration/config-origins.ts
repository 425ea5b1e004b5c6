import { anyPortOf } from '../platform/http/origins/origins.ts'

const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]']

interface Addresses {
  environment: 'development' | 'test' | 'production'
  baseUrl: string
  frontendUrl: string
  /** Of ALLOWED_ORIGINS. */
  others: readonly string[]
  port: number
}

/** Origins with browsers that may call, as `allowsOrigin` reads them. */
export function originsOf(addresses: Addresses): readonly string[] {
  const { environment, baseUrl, frontendUrl, others, port } = addresses
  // outside production a browser may have opened the office by any name of this machine
  const loopback = environment === 'production' ? [] : LOOPBACK_HOSTS.map((host) => `http://${host}:${port}`)
  const origins = [frontendUrl, baseUrl, ...others, ...loopback]
    .filter((address) => URL.canParse(address))
    .map((address) => new URL(address).origin)
  // development servers of front ends listen on ports of their own
  const anyPort = environment === 'development' && isOnThisMachine(baseUrl) ? [anyPortOf(baseUrl)] : []
  return Object.freeze([...new Set([...origins, ...anyPort])])
}

function isOnThisMachine(address: string): boolean {
  return URL.canParse(address) && LOOPBACK_HOSTS.includes(new URL(address).hostname)
}
