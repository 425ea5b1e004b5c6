import type { RotatingSecret, Secret } from '../platform/secrets/secret.ts'
import type { SettingReader } from './setting-reader.ts'

export interface BrokerConfig {
  /** Where clients connect. */
  publicUrl: string
  tokenSecrets: RotatingSecret
  proxySecrets: RotatingSecret
  /** Realtime connections of one person at the same time, where the broker is embedded; 0: no limit. */
  connectionsPerUser: number
  /** Of a Centrifugo; absent where the broker is embedded. */
  centrifugo: { apiUrl: string; apiKey: Secret } | undefined
}

export interface MediaConfig {
  /** Where this server reaches its API. */
  url: string
  /** Where clients connect: ws or wss. */
  publicUrl: string
  apiKey: string
  apiSecret: Secret
  /** It is the stand-in of the sandbox, which this server serves itself. */
  sandbox: boolean
  /** Of the stand-in, where real clients may come in: not in tests, which only simulate them. */
  embedded: EmbeddedMediaConfig | undefined
}

/** Limits of the embedded media server. */
export interface EmbeddedMediaConfig {
  /** Undefined: an ordinary address of this machine. */
  address: string | undefined
  cameras: number
  people: number
  /** Guests who wait: they take no place of the people. */
  waiting: number
  /** What one recording may have at most. */
  recordings: { minutes: number; bytes: number }
  /** As PATH, where the ffmpeg is looked for that makes recordings of everybody side by side; undefined: they are not wanted. */
  searchPath: string | undefined
}

const MEGABYTE = 1_000_000

/** Realtime connections, presence, chat, rooms and recordings. */
export interface RealtimeConfig {
  broker: BrokerConfig
  /** At least; of the outbox that the broker reads. */
  outboxPartitions: number
  presenceRestoreManual: boolean
  presenceFromCalendar: boolean
  chatTokenSecrets: RotatingSecret
  /** Undefined: there is no media server. Outside production the sandbox stands in for one. */
  media: MediaConfig | undefined
  recordings: {
    webhookSecret: Secret
    accessDays: number
    fileDays: number
    /** Undefined: nothing writes down what is said. */
    transcriberUrl: string | undefined
  }
  /** 0: no limit. */
  guestsWaitingPerInvite: number
  webhookDuplicateWindowSeconds: number
  /** 0: never. */
  mediaSweepSeconds: number
}

interface Served {
  environment: 'development' | 'test' | 'production'
  baseUrl: string
  /** PATH. */
  searchPath: string | undefined
}

export function realtimeConfigOf(read: SettingReader, served: Served): RealtimeConfig {
  return {
    broker: brokerOf(read, served),
    outboxPartitions: read.number('OUTBOX_PARTITIONS'),
    presenceRestoreManual: read.isOn('PRESENCE_RESTORE_MANUAL'),
    presenceFromCalendar: read.isOn('PRESENCE_FROM_CALENDAR'),
    chatTokenSecrets: read.rotating(
      {
        current: 'CHAT_TOKEN_SECRET',
        previous: 'CHAT_TOKEN_SECRET_PREVIOUS',
        next: 'CHAT_TOKEN_SECRET_NEXT',
      },
      'chat-token',
    ),
    media: mediaOf(read, served),
    recordings: Object.freeze({
      webhookSecret: read.secretOrDerived('RECORDINGS_WEBHOOK_SECRET', 'recordings-webhook'),
      accessDays: read.number('RECORDINGS_ACCESS_DAYS'),
      fileDays: read.number('RECORDINGS_FILE_DAYS'),
      transcriberUrl: read.address('TRANSCRIBER_URL'),
    }),
    guestsWaitingPerInvite: read.number('GUESTS_WAITING_PER_INVITE'),
    webhookDuplicateWindowSeconds: read.number('WEBHOOK_DUPLICATE_WINDOW_SECONDS'),
    mediaSweepSeconds: read.number('MEDIA_SWEEP_SECONDS'),
  }
}

function brokerOf(read: SettingReader, { baseUrl }: Served): BrokerConfig {
  return Object.freeze<BrokerConfig>({
    publicUrl: read.text('BROKER_PUBLIC_URL') ?? `${baseUrl.replace(/^http/, 'ws')}/connection/websocket`,
    tokenSecrets: read.rotating(
      {
        current: 'BROKER_TOKEN_SECRET',
        previous: 'BROKER_TOKEN_SECRET_PREVIOUS',
        next: 'BROKER_TOKEN_SECRET_NEXT',
      },
      'broker-token',
    ),
    // this server signs nothing with it: there is nothing to wait for before it is used
    proxySecrets: read.rotating(
      { current: 'BROKER_PROXY_SECRET', previous: 'BROKER_PROXY_SECRET_PREVIOUS' },
      'broker-proxy',
    ),
    connectionsPerUser: read.number('CONNECTIONS_PER_USER'),
    centrifugo:
      read.text('BROKER') === 'centrifugo'
        ? Object.freeze({
            apiUrl: read.address('CENTRIFUGO_API_URL') as string,
            apiKey: read.secret('CENTRIFUGO_API_KEY') as Secret,
          })
        : undefined,
  })
}

function mediaOf(read: SettingReader, { environment, baseUrl, searchPath }: Served): MediaConfig | undefined {
  const external = read.address('LIVEKIT_URL')
  if (external === undefined && environment === 'production') return undefined
  const url = external ?? baseUrl
  const embedded = Object.freeze<EmbeddedMediaConfig>({
    address: read.text('EMBEDDED_MEDIA_ADDRESS'),
    cameras: read.number('EMBEDDED_MEDIA_CAMERAS'),
    people: read.number('EMBEDDED_MEDIA_PEOPLE'),
    waiting: read.number('EMBEDDED_MEDIA_WAITING'),
    recordings: {
      minutes: read.number('EMBEDDED_MEDIA_RECORDING_MINUTES'),
      bytes: read.number('EMBEDDED_MEDIA_RECORDING_MEGABYTES') * MEGABYTE,
    },
    searchPath: read.isOn('EMBEDDED_MEDIA_RECORDING_GRID') ? searchPath : undefined,
  })
  return Object.freeze<MediaConfig>({
    url,
    publicUrl: read.address('LIVEKIT_PUBLIC_URL') ?? url.replace(/^http/, 'ws'),
    apiKey: read.text('LIVEKIT_API_KEY') ?? 'sandbox',
    apiSecret: read.secretOrDerived('LIVEKIT_API_SECRET', 'sandbox-media'),
    sandbox: external === undefined,
    embedded: external === undefined && environment === 'development' ? embedded : undefined,
  })
}
