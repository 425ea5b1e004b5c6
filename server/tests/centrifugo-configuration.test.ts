import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { CONNECTION_LIMITS, INCOMING_FRAME_BYTES_MAX } from '../src/adapters/embedded-broker/connection.ts'
import { CHANNEL_LENGTH_MAX, namespaces } from '../src/adapters/embedded-broker/namespaces.ts'
import { OUTBOX_PARTITIONS } from '../src/platform/outbox.ts'

// biome-ignore lint/suspicious/noExplicitAny: a configuration as it is written
const read = (name: string): any =>
  JSON.parse(readFileSync(new URL(`../../deploy/centrifugo/${name}`, import.meta.url), 'utf8'))
const v6 = read('config.json')
const v5 = read('config-v5.json')
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
        num_partitions: OUTBOX_PARTITIONS,
        partition_notification_channel: 'centrifugo_partition_change',
      },
    })
  })

  it('hold no secret', () => {
    for (const config of [v6, v5])
      expect(JSON.stringify(config)).not.toMatch(/hmac_secret|"(api_)?key"|"dsn"|password/)
  })
})
