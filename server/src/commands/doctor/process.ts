import type { Config } from '../../configuration/config.ts'
import { halfPairs } from '../../configuration/half-pairs.ts'
import type { Environment } from '../../configuration/setting-reader.ts'
import { sentenceOfUnknown, unknownSettings } from '../../configuration/unknown-settings.ts'
import { connectionLimits, reservedOf } from '../../platform/http/connections/connection-limits.ts'
import { openFilesMax } from '../../platform/open-files.ts'
import type { Finding } from './realtime.ts'

/** Fewer are soon used up: each person in an office holds one or two. */
const FEW_CONNECTIONS = 1_000
const RAISE =
  'Raise it for whoever starts the server: LimitNOFILE of systemd, ulimit -n, --ulimit of containers'

/**
 * How many connections a node has room for. The limit is that of this process: the server's is the same where both are
 * started alike.
 */
export function lookAtConnections(config: Config, openFiles = openFilesMax()): Finding {
  const part = 'connections'
  const { connectionsMax: all, connectionsPerAddress: perAddress, databasePoolSize } = config
  const limits = connectionLimits({ openFiles, databasePoolSize, all, perAddress })
  if (openFiles === undefined)
    return { part, ok: true, says: 'this system does not report a limit of open files' }
  const reserved = reservedOf(databasePoolSize)
  const has = `room for ${limits.all} connections of clients among ${openFiles} open files`
  if (limits.all + reserved > openFiles) {
    const says = `${has}, and ${reserved} more are needed for the database and for files. ${RAISE}${all ? ', or lower CONNECTIONS_MAX' : ''}.`
    return { part, ok: false, says }
  }
  if (config.environment === 'production' && limits.all < FEW_CONNECTIONS)
    return { part, ok: true, warns: true, says: `only ${has}. ${RAISE}.` }
  return { part, ok: true, says: has }
}

/** Settings that are given and have no effect. */
export function lookAtPairs(environment: Environment): Finding[] {
  return halfPairs(environment).map((says) => ({ part: 'configuration', ok: false, says }))
}

/** Addresses that browsers of a page over https do not go to. */
export function lookAtAddresses({
  environment,
  baseUrl,
  broker,
  media,
  s3,
  avatarPublicBaseUrl,
}: Config): Finding[] {
  if (environment !== 'production' || !baseUrl.startsWith('https:')) return []
  const addresses = {
    BROKER_PUBLIC_URL: broker.publicUrl,
    LIVEKIT_PUBLIC_URL: media?.publicUrl,
    S3_ENDPOINT: s3?.endpoint,
    AVATAR_PUBLIC_BASE_URL: avatarPublicBaseUrl,
  }
  return Object.entries(addresses).flatMap(([name, url]) => {
    if (!url || /^(https|wss):/.test(url)) return []
    const says = `${name} leads to ${url}: browsers do not go there from a page over https. It needs ${url.startsWith('ws') ? 'wss' : 'https'}.`
    return [{ part: 'addresses', ok: false, says }]
  })
}

/** Variables that were meant to be settings. */
export function lookAtUnknown(environment: Environment): Finding[] {
  return unknownSettings(environment).map((unknown) => ({
    part: 'configuration',
    ok: true,
    warns: true,
    says: sentenceOfUnknown(unknown),
  }))
}

/** This server speaks http: where people reach it by https, a proxy stands before it. */
export function lookAtProxy({ environment, baseUrl, trustProxy }: Config): Finding[] {
  if (environment !== 'production' || !baseUrl.startsWith('https:')) return []
  const part = 'proxy'
  if (trustProxy.length > 0)
    return [{ part, ok: true, says: `X-Forwarded-For is believed of ${trustProxy.join(', ')}` }]
  const says =
    'BASE_URL is https, so a proxy stands before this server, and TRUST_PROXY names none: everybody counts as one visitor and shares one budget of sign-ins (RATE_LIMIT_SIGN_IN_PER_ADDRESS). Set TRUST_PROXY to the address of the proxy.'
  return [{ part, ok: true, warns: true, says }]
}
