import { channel } from 'node:diagnostics_channel'
import { TLSSocket } from 'node:tls'
import { type Clock, DAY_MS } from '../clock.ts'
import type { Log } from '../log.ts'

/** Of undici, and of the one that Node brings for its own `fetch`. */
const CONNECTED = 'undici:client:connected'
/** More hosts than any office calls; with more, those seen first are forgotten. */
const HOSTS_MAX = 1_000
const WARN_BEFORE_MS = 14 * DAY_MS

interface Seen {
  expiresAt: number
  seenAt: number
}

/** The certificates that services outside have shown this process. */
export interface SeenCertificates {
  /** When the first of those expires that were seen within a day, in seconds since 1970; 0 where there are none. */
  firstExpiry(): number
  close(): void
}

/**
 * Looks at the certificate of every https connection that `fetch` makes. One that has expired fails its call; this is
 * for the two weeks before, in which an operator can still mend it.
 */
export function watchCertificates({
  clock,
  log,
}: {
  clock: Clock
  log: Pick<Log, 'warn'>
}): SeenCertificates {
  const seen = new Map<string, Seen>()
  const look = (message: unknown) => {
    const { socket, connectParams } = message as { socket: unknown; connectParams: { host: string } }
    if (!(socket instanceof TLSSocket)) return
    const expiresAt = Date.parse(socket.getPeerCertificate().valid_to)
    if (Number.isNaN(expiresAt)) return
    const { host } = connectParams
    const now = clock.now().getTime()
    const before = seen.get(host)
    const told = before?.expiresAt === expiresAt && now - before.seenAt < DAY_MS
    if (expiresAt - now < WARN_BEFORE_MS && !told)
      log.warn(
        { host, expires: new Date(expiresAt).toISOString() },
        'the certificate of a service outside expires soon',
      )
    // what was seen last is last
    seen.delete(host)
    seen.set(host, { expiresAt, seenAt: now })
    const [oldest] = seen.keys()
    if (seen.size > HOSTS_MAX && oldest !== undefined) seen.delete(oldest)
  }
  const connected = channel(CONNECTED)
  connected.subscribe(look)
  return {
    firstExpiry() {
      const since = clock.now().getTime() - DAY_MS
      const lately = [...seen.values()].filter(({ seenAt }) => seenAt > since)
      return lately.length === 0 ? 0 : Math.min(...lately.map(({ expiresAt }) => expiresAt)) / 1_000
    },
    close: () => void connected.unsubscribe(look),
  }
}
