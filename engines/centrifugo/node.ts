import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '@atrium/embedded-postgres/free-port.ts'
import { CONFORMANCE_LIMITS } from '@atrium/server/src/ports/broker.conformance.ts'
import { type Ends, end, start, untilAnswers } from '../processes.ts'
import { centrifugoProgram, majorVersion } from './program.ts'

const CONFIGURATIONS = new URL('../../deploy/centrifugo/', import.meta.url)

export interface CentrifugoNode {
  /** WebSocket address. */
  url: string
  apiUrl: string
  /** kill -9. Another start with the same folder and ports brings it back, without its memory. */
  kill(): Promise<void>
}

export interface CentrifugoStart {
  folder: string
  /** Of the subscribe proxy. */
  proxyUrl: string
  secrets: { token: string; api: string; proxy: string }
  /** The database of the outbox that it reads; without one it reads none. */
  databaseUrl?: string
  /** Nodes on one Redis are one broker. */
  redisUrl?: string
  /** Where it listens; free ones where not given. */
  ports?: { port: number; internalPort: number }
  /** The limits that the conformance suite waits for, in place of those of production. */
  shortLimits?: boolean
  /** Of pages that may connect. */
  origins?: readonly string[]
  /** Publications of a status channel that it keeps, in place of those of production. */
  statusHistory?: number
}

/** Starts Centrifugo with the configuration that we deploy, but for addresses and what is asked for. */
export async function startCentrifugo(options: CentrifugoStart, ends: Ends): Promise<CentrifugoNode> {
  const major = await majorVersion()
  const { port, internalPort } = options.ports ?? { port: await freePort(), internalPort: await freePort() }
  const file = join(options.folder, `centrifugo-${port}.json`)
  const text = await readFile(new URL(major === 6 ? 'config.json' : 'config-v5.json', CONFIGURATIONS), 'utf8')
  const place = { ...options, port, internalPort }
  const config = major === 6 ? forV6(JSON.parse(text), place) : forV5(JSON.parse(text), place)
  await writeFile(file, JSON.stringify(config))
  const { token, api, proxy } = options.secrets
  const database = options.databaseUrl ?? ''
  const environment =
    major === 6
      ? {
          CENTRIFUGO_CLIENT_TOKEN_HMAC_SECRET_KEY: token,
          CENTRIFUGO_HTTP_API_KEY: api,
          CENTRIFUGO_VAR_PROXY_SECRET: proxy,
          ...(database && { CENTRIFUGO_CONSUMERS_OUTBOX_POSTGRESQL_DSN: database }),
        }
      : {
          CENTRIFUGO_TOKEN_HMAC_SECRET_KEY: token,
          CENTRIFUGO_API_KEY: api,
          CENTRIFUGO_PROXY_STATIC_HTTP_HEADERS: JSON.stringify({ 'X-Broker-Proxy-Secret': proxy }),
          ...(database && { CENTRIFUGO_CONSUMERS_POSTGRESQL_OUTBOX_DSN: database }),
        }
  const child = start(
    centrifugoProgram(),
    ['-c', file, '--log_level', 'error'],
    { PATH: process.env.PATH, ...environment },
    ends,
  )
  const apiUrl = `http://127.0.0.1:${internalPort}/api`
  await untilAnswers(`http://127.0.0.1:${internalPort}/health`)
  return { url: `ws://127.0.0.1:${port}/connection/websocket`, apiUrl, kill: () => end(child, 'SIGKILL') }
}

type NodeStart = CentrifugoStart & { port: number; internalPort: number }
type Json = Record<string, never>

function forV5(config: Json, place: NodeStart): object {
  const limits = CONFORMANCE_LIMITS
  const { redis_address: _address, redis_prefix: _prefix, engine: _engine, ...rest } = config
  return {
    ...rest,
    address: '127.0.0.1',
    port: String(place.port),
    internal_address: '127.0.0.1',
    internal_port: String(place.internalPort),
    ...(place.origins && { allowed_origins: place.origins }),
    proxy_subscribe_endpoint: place.proxyUrl,
    ...(place.redisUrl ? { engine: 'redis', redis_address: place.redisUrl, redis_prefix: 'atrium' } : {}),
    namespaces: withHistory(config.namespaces ?? [], place),
    ...(place.databaseUrl ? {} : { consumers: [] }),
    ...(place.shortLimits
      ? {
          client_channel_limit: limits.channelsMax,
          client_user_connection_limit: limits.userConnectionsMax,
          client_stale_close_delay: `${limits.staleAfterMs}ms`,
          client_expired_close_delay: `${limits.expiredGraceMs}ms`,
          ping_interval: `${limits.pingIntervalMs}ms`,
          pong_timeout: `${limits.pongTimeoutMs}ms`,
        }
      : {}),
  }
}

function forV6(config: Json, place: NodeStart): object {
  const limits = CONFORMANCE_LIMITS
  const { client, channel, engine, ...rest } = config as Record<string, Record<string, never>>
  const proxy = (channel?.proxy ?? {}) as Record<string, object>
  return {
    ...rest,
    http_server: {
      address: '127.0.0.1',
      port: place.port,
      internal_address: '127.0.0.1',
      internal_port: String(place.internalPort),
    },
    client: {
      ...client,
      ...(place.origins && { allowed_origins: place.origins }),
      ...(place.shortLimits
        ? {
            channel_limit: limits.channelsMax,
            user_connection_limit: limits.userConnectionsMax,
            stale_close_delay: `${limits.staleAfterMs}ms`,
            expired_close_delay: `${limits.expiredGraceMs}ms`,
            ping_interval: `${limits.pingIntervalMs}ms`,
            pong_timeout: `${limits.pongTimeoutMs}ms`,
          }
        : {}),
    },
    channel: {
      ...channel,
      namespaces: withHistory(channel?.namespaces ?? [], place),
      proxy: { subscribe: { ...proxy.subscribe, endpoint: place.proxyUrl } },
    },
    engine: place.redisUrl
      ? { ...engine, redis: { address: [place.redisUrl], prefix: 'atrium' } }
      : { type: 'memory' },
    ...(place.databaseUrl ? {} : { consumers: [] }),
  }
}

function withHistory(namespaces: readonly { name: string }[], { statusHistory }: NodeStart): object[] {
  if (statusHistory === undefined) return [...namespaces]
  return namespaces.map((one) => (one.name === 'status' ? { ...one, history_size: statusHistory } : one))
}
