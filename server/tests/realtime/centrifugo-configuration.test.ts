import { readFileSync } from 'node:fs'
import { CONNECTION_LIMITS, INCOMING_FRAME_BYTES_MAX } from '@atrium/embedded-broker/connection.ts'
import { CHANNEL_LENGTH_MAX } from '@atrium/embedded-broker/namespaces.ts'
import { describe, expect, it } from 'vitest'
import { namespaces } from '../../src/adapters/embedded-broker/namespaces.ts'
import { settings } from '../../src/configuration/settings.ts'

// biome-ignore lint/suspicious/noExplicitAny: a configuration as it is written
const read = (name: string): any =>
  JSON.parse(readFileSync(new URL(`../../../deploy/centrifugo/${name}`, import.meta.url), 'utf8'))
const v6 = read('config.json')
const v5 = read('config-v5.json')
const [partitions] = settings.filter((one) => one.name === 'OUTBOX_PARTITIONS')
const milliseconds = (text: string) => Number(text.replace(/s$/, '')) * 1_000
const seconds = (text: string) => Number(text.replace(/s$/, ''))

interface NamespaceOptions {
  name: string
  [option: string]: unknown
}

describe('the configurations of Centrifugo', () => {
  it.each<[string, NamespaceOptions[], string]>([
    ['v6', v6.channel.namespaces, 'subscribe_proxy_enabled'],
    ['v5', v5.namespaces, 'proxy_subscribe'],
  ])('have the namespaces of the embedded broker (%s), and allow nothing else', (_, list, proxied) => {
    const asOurs = list.map((one) => [
      one.name,
      {
        proxied: one[proxied] ?? false,
        presence: one.presence ?? false,
        historySize: one.history_size,
        historyTtlSeconds: seconds(String(one.history_ttl)),
        ...(one.channel_regex ? { form: new RegExp(String(one.channel_regex)) } : {}),
      },
    ])
    expect(Object.fromEntries(asOurs)).toEqual(namespaces)
    for (const one of list) {
      expect(one).toMatchObject({ force_recovery: true, force_positioning: true })
      expect(Object.keys(one).filter((option) => option.startsWith('allow_'))).toEqual([])
    }
  })

  it('have its limits', () => {
    const limitsOf = (client: Record<string, never>) => ({
      pingIntervalMs: milliseconds(String(client.ping_interval)),
      pongTimeoutMs: milliseconds(String(client.pong_timeout)),
      staleAfterMs: milliseconds(String(client.stale_close_delay)),
      expiredGraceMs: milliseconds(String(client.expired_close_delay)),
      outgoingBytesMax: client.queue_max_size,
      channelsMax: client.channel_limit,
      userConnectionsMax: client.user_connection_limit,
    })
    expect(limitsOf(v6.client)).toEqual(CONNECTION_LIMITS)
    const unprefixed = Object.entries(v5).map(([name, value]) => [name.replace(/^client_/, ''), value])
    expect(limitsOf(Object.fromEntries(unprefixed))).toEqual(CONNECTION_LIMITS)
    expect(v6.websocket.message_size_limit).toBe(INCOMING_FRAME_BYTES_MAX)
    expect(v5.websocket_message_size_limit).toBe(INCOMING_FRAME_BYTES_MAX)
    expect([v6.channel.max_length, v5.channel_max_length]).toEqual([CHANNEL_LENGTH_MAX, CHANNEL_LENGTH_MAX])
  })

  it.each([
    ['v6', v6],
    ['v5', v5],
  ])('read our outbox, all of it (%s)', (_, { consumers }) => {
    expect(consumers).toHaveLength(1)
    expect(consumers[0]).toMatchObject({
      type: 'postgresql',
      postgresql: {
        outbox_table_name: 'centrifugo_outbox',
        num_partitions: Number(partitions?.default),
        partition_notification_channel: 'centrifugo_partition_change',
      },
    })
  })

  it('say the same, option by option', () => {
    const { use_try_lock: _, ...postgresql } = v6.consumers[0].postgresql
    // what v5 has no word for: consumers are on unless `disabled`, and the proxy's header comes from the environment
    const said = {
      ...v6,
      consumers: [{ ...v6.consumers[0], postgresql }],
      channel: { ...v6.channel, proxy: { subscribe: { ...v6.channel.proxy.subscribe, http: undefined } } },
    }
    expect(inWordsOfV6(v5)).toEqual(said)
    expect(v6.channel.proxy.subscribe.http).toEqual({
      // biome-ignore lint/suspicious/noTemplateCurlyInString: Centrifugo puts the secret in
      static_headers: { 'X-Broker-Proxy-Secret': '${CENTRIFUGO_VAR_PROXY_SECRET}' },
    })
  })

  it('hold no secret', () => {
    for (const config of [v6, v5])
      expect(JSON.stringify(config)).not.toMatch(/hmac_secret|"(api_)?key"|"dsn"|password/)
  })
})

/** Where v6 has each option of v5; one that is not listed here is not understood, and fails the comparison. */
const PLACES: Record<string, string> = {
  address: 'http_server.address',
  port: 'http_server.port',
  internal_address: 'http_server.internal_address',
  internal_port: 'http_server.internal_port',
  health: 'health.enabled',
  prometheus: 'prometheus.enabled',
  admin: 'admin.enabled',
  usage_stats_disable: 'usage_stats.disabled',
  allowed_origins: 'client.allowed_origins',
  client_concurrency: 'client.concurrency',
  client_channel_limit: 'client.channel_limit',
  client_user_connection_limit: 'client.user_connection_limit',
  ping_interval: 'client.ping_interval',
  pong_timeout: 'client.pong_timeout',
  client_stale_close_delay: 'client.stale_close_delay',
  client_expired_close_delay: 'client.expired_close_delay',
  client_queue_max_size: 'client.queue_max_size',
  websocket_message_size_limit: 'websocket.message_size_limit',
  channel_max_length: 'channel.max_length',
  proxy_subscribe_endpoint: 'channel.proxy.subscribe.endpoint',
  proxy_subscribe_timeout: 'channel.proxy.subscribe.timeout',
  proxy_include_connection_meta: 'channel.proxy.subscribe.include_connection_meta',
  namespaces: 'channel.namespaces',
  engine: 'engine.type',
  redis_address: 'engine.redis.address',
  redis_prefix: 'engine.redis.prefix',
  consumers: 'consumers',
}

/** Options with another form in v6. */
const FORMS: Record<string, (value: never) => unknown> = {
  port: (value: string) => Number(value),
  redis_address: (value: string) => [value],
  consumers: (value: object[]) => value.map((one) => ({ enabled: true, ...one })),
  namespaces: (value: Record<string, unknown>[]) =>
    value.map(({ proxy_subscribe: proxied, ...one }) =>
      proxied === undefined ? one : { ...one, subscribe_proxy_enabled: proxied },
    ),
}

function inWordsOfV6(config: Record<string, never>): object {
  const translated: Record<string, unknown> = {}
  for (const [option, value] of Object.entries(config)) {
    const path = (PLACES[option] ?? `unknown.${option}`).split('.')
    const last = path.pop() ?? ''
    let place = translated
    for (const part of path) {
      place[part] ??= {}
      place = place[part] as Record<string, unknown>
    }
    place[last] = FORMS[option]?.(value) ?? value
  }
  return translated
}
