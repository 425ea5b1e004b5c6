import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Log } from '../../log.ts'

/** Those that a proxy adds for whom it speaks. */
const FORWARDED = ['x-forwarded-for', 'forwarded', 'x-real-ip'] as const

const UNTRUSTED_PROXY =
  'a request came with the headers of a proxy from an address that TRUST_PROXY does not name: everybody behind it counts as one visitor, with one budget. Where it is a proxy of yours, name it in TRUST_PROXY'

/**
 * Says once that a proxy before the server speaks for others, and is not believed.
 * @param onFound told of its address, in the same moment
 */
export function tellUntrustedProxy(
  server: FastifyInstance,
  isTrusted: ((address: string) => boolean) | false,
  log: Pick<Log, 'warn'>,
  onFound: (address: string) => void = () => {},
): void {
  const look = ({ headers, socket }: IncomingMessage) => {
    if (!FORWARDED.some((name) => headers[name] !== undefined)) return
    const { remoteAddress } = socket
    if (remoteAddress === undefined || (isTrusted && isTrusted(remoteAddress))) return
    server.server.off('request', look)
    onFound(remoteAddress)
    log.warn({ neighbour: remoteAddress }, UNTRUSTED_PROXY)
  }
  server.server.on('request', look)
}
