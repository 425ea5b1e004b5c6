import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { problemsIn } from '../../tests/operator/configuration-problems.ts'
import { PRODUCTION } from '../../tests/operator/production-settings.ts'
import { type RotatingSecret, Secret } from '../platform/secrets/secret.ts'
import { type Config, readConfig } from './config.ts'
import { DEVELOPMENT_SECRET_KEY, settings } from './settings.ts'

const ROOT = '/srv/atrium'
const LONG = 'x'.repeat(32)

describe('the configuration', () => {
  it.each(['localhost', 'LocalHost'])('listens on one address where it is told %s', (host) => {
    expect(readConfig({ HOST: host }, ROOT).host).toBe('127.0.0.1')
  })

  it('is complete without any setting', () => {
    const { secretKeys, broker, media, recordings, chatTokenSecrets, ...config } = readConfig({}, ROOT)
    expect(config).toEqual({
      environment: 'development',
      officeName: 'Atrium',
      signUpByInvitation: false,
      port: 3000,
      host: '127.0.0.1',
      baseUrl: 'http://localhost:3000',
      frontendUrl: 'http://localhost:3000',
      origins: ['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000', 'http://localhost:*'],
      trustProxy: [],
      connectionsMax: 0,
      connectionsPerAddress: 0,
      allowPrivateIssuers: true,
      allowPrivateWebhooks: true,
      ...{ drainNoticeMs: 0, traces: undefined },
      logLevel: 'warn',
      dataDir: '/srv/atrium/.atrium',
      databaseUrl: undefined,
      databasePoolSize: 10,
      databaseWaitMs: 2_000,
      workos: undefined,
      google: undefined,
      microsoft: undefined,
      pilotSignUp: true,
      // config-limits.test.ts
      limits: expect.anything(),
      ...{ requestsUnderWay: { person: 2, organization: 6 }, mailFrom: 'Atrium <no-reply@localhost>' },
      retention: { chatDays: null, auditDays: null, auditDaysMin: 90 },
      smtpUrl: undefined,
      avatarPublicBaseUrl: 'http://localhost:3000/storage',
      avatarUploadTries: 3,
      logoUploadTries: 5,
      guestsWaitingPerInvite: 20,
      imageCheckUrl: undefined,
      fileCheckUrl: undefined,
      ...{ s3: undefined, backupStore: undefined },
      outboxPartitions: 4,
      presenceRestoreManual: false,
      presenceFromCalendar: true,
      metrics: { port: undefined, project: 'atrium', refreshSeconds: 300, region: 'local', token: undefined },
      webhookDuplicateWindowSeconds: 600,
      mediaSweepSeconds: 60,
      calendarEnabled: true,
      googleCalendarUrl: 'https://www.googleapis.com/calendar/v3',
      microsoftGraphUrl: 'https://graph.microsoft.com/v1.0',
    })
    expect(recordings).toMatchObject({ accessDays: 20, fileDays: 90, transcriberUrl: undefined })
    // every key that is not given is another one
    const keys = [chatTokenSecrets.current, recordings.webhookSecret, secretKeys.current].map((key) =>
      key.reveal(),
    )
    expect(new Set(keys).size).toBe(3)
    expect(broker).toMatchObject({
      publicUrl: 'ws://localhost:3000/connection/websocket',
      centrifugo: undefined,
    })
    expect(recordings).toMatchObject({ accessDays: 20, fileDays: 90 })
    expect(media).toMatchObject({
      publicUrl: 'ws://localhost:3000',
      sandbox: true,
      embedded: {
        address: undefined,
        cameras: 4,
        people: 12,
        waiting: 20,
        recordings: { minutes: 240, bytes: 4_000_000_000 },
      },
    })
    const searchedBy = (environment: Record<string, string>) =>
      readConfig({ PATH: '/usr/bin', ...environment }, ROOT).media?.embedded?.searchPath
    expect(searchedBy({})).toBe('/usr/bin')
    expect(searchedBy({ EMBEDDED_MEDIA_RECORDING_GRID: 'false' })).toBeUndefined()
    expect(readConfig({ ATRIUM_ENV: 'test' }, ROOT).media).toMatchObject({
      sandbox: true,
      embedded: undefined,
    })
    expect(secretKeys.current.reveal()).toBe(DEVELOPMENT_SECRET_KEY)
  })

  it('takes empty and blank settings for unset ones', () => {
    const blank = Object.fromEntries(settings.map(({ name }, index) => [name, index % 2 ? '' : ' \t']))
    expect(inspect(readConfig(blank, ROOT))).toBe(inspect(readConfig({}, ROOT)))
    expect(readConfig(blank, ROOT).secretKeys.current.reveal()).toBe(DEVELOPMENT_SECRET_KEY)
  })

  it('has every setting as it was given, without the spaces around it', () => {
    const given: Record<string, string> = {
      ATRIUM_ENV: 'test',
      OFFICE_NAME: 'Harbour',
      SIGN_UP: 'invitation',
      PORT: '8080',
      HOST: '0.0.0.0',
      BASE_URL: 'https://api.example/',
      FRONTEND_URL: 'https://app.example/office//',
      ALLOWED_ORIGINS: 'https://one.example/path, ,http://two.example:81',
      TRUST_PROXY: '10.0.0.0/8, ::1,loopback',
      CONNECTIONS_MAX: '5000',
      CONNECTIONS_PER_ADDRESS: '50',
      DRAIN_NOTICE_SECONDS: '30',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer a',
      ...{ OTEL_SERVICE_NAME: 'office', TRACES_SAMPLE_PERCENT: '5' },
      LOG_LEVEL: 'trace',
      SECRET_KEY: LONG,
      SECRET_KEY_PREVIOUS: `${LONG}y, ${LONG}x`,
      SECRET_KEY_NEXT: `${LONG}z`,
      DATA_DIR: 'data/here',
      DATABASE_URL: 'postgres://u:p@db.example/atrium',
      DATABASE_REPLICA_URL: 'postgres://u:p@standby.example/atrium',
      EMBEDDED_DATABASE: 'true',
      DATABASE_POOL_SIZE: '20',
      DATABASE_WAIT_MS: '3000',
      IDENTITY_PROVIDER: 'workos',
      WORKOS_API_KEY: 'sk_test',
      WORKOS_CLIENT_ID: 'client_1',
      WORKOS_API_URL: 'https://workos.example',
      GOOGLE_CLIENT_ID: 'google',
      GOOGLE_CLIENT_SECRET: 'short',
      GOOGLE_ISSUER_URL: 'https://google.example',
      MICROSOFT_CLIENT_ID: 'microsoft',
      MICROSOFT_CLIENT_SECRET: 'short',
      MICROSOFT_ISSUER_URL: 'https://microsoft.example',
      PILOT_SIGN_UP_ENVIRONMENTS: 'production',
      BROKER: 'centrifugo',
      BROKER_PUBLIC_URL: 'wss://broker.example/connection/websocket',
      BROKER_TOKEN_SECRET: LONG,
      BROKER_PROXY_SECRET: LONG,
      CENTRIFUGO_API_URL: 'http://broker.example:9000/api',
      CENTRIFUGO_API_KEY: LONG,
      OUTBOX_PARTITIONS: '8',
      PRESENCE_RESTORE_MANUAL: 'true',
      PRESENCE_FROM_CALENDAR: 'false',
      LOGO_UPLOAD_TRIES: '9',
      CONNECTIONS_PER_USER: '7',
      RATE_LIMIT_UPLOAD_BYTES_PER_USER: '9000000',
      GUESTS_WAITING_PER_INVITE: '6',
      IMAGE_CHECK_URL: 'http://images.example:3100',
      STORAGE: 's3',
      S3_ENDPOINT: 'https://s3.example',
      S3_REGION: 'eu-central-1',
      S3_BUCKET: 'office',
      S3_ACCESS_KEY_ID: 'key',
      S3_SECRET_ACCESS_KEY: 'short',
      BACKUP_S3_ENDPOINT: 'https://backups.example',
      BACKUP_S3_REGION: 'eu-west-1',
      BACKUP_S3_ACCESS_KEY_ID: 'their key',
      BACKUP_S3_SECRET_ACCESS_KEY: 'theirs',
      RATE_LIMIT_KNOCKS_PER_USER: '17',
      RATE_LIMIT_GUEST_PER_ADDRESS: '4',
      EMBEDDED_MEDIA_ADDRESS: '192.0.2.7',
      EMBEDDED_MEDIA_CAMERAS: '2',
      EMBEDDED_MEDIA_PEOPLE: '5',
      EMBEDDED_MEDIA_RECORDING_GRID: 'false',
      EMBEDDED_MEDIA_RECORDING_MEGABYTES: '100',
      EMBEDDED_MEDIA_RECORDING_MINUTES: '10',
      EMBEDDED_MEDIA_WAITING: '3',
      LIVEKIT_URL: 'https://media.example/',
      LIVEKIT_PUBLIC_URL: 'wss://rtc.example/',
      LIVEKIT_API_KEY: 'devkey',
      LIVEKIT_API_SECRET: 'short',
      MEDIA_SWEEP_SECONDS: '7',
      METRICS_PORT: '9100',
      METRICS_PROJECT: 'office',
      METRICS_REFRESH_SECONDS: '30',
      METRICS_REGION: 'eu',
      METRICS_TOKEN: LONG,
      RECORDINGS_ACCESS_DAYS: '5',
      RECORDINGS_FILE_DAYS: '6',
      TRANSCRIBER_URL: 'http://words.example/',
      RECORDINGS_WEBHOOK_SECRET: LONG,
      WEBHOOK_DUPLICATE_WINDOW_SECONDS: '60',
      RATE_LIMIT_CODES_PER_EMAIL: '1',
      RATE_LIMIT_CODES_PER_EMAIL_HOUR: '5',
      RATE_LIMIT_SIGN_IN_PER_ADDRESS: '2',
      RATE_LIMIT_GUESSES_PER_ADDRESS: '3',
      RATE_LIMIT_GUESSES_PER_EMAIL_HOUR: '6',
      RATE_LIMIT_GUESSES_PER_EMAIL_DAY: '7',
      RATE_LIMIT_PER_USER: '0',
      RATE_LIMIT_PER_TOKEN: '0',
      RATE_LIMIT_PER_DIRECTORY: '0',
      REQUESTS_UNDER_WAY_PER_USER: '11',
      REQUESTS_UNDER_WAY_PER_ORGANIZATION: '12',
      RATE_LIMIT_INVITATIONS_PER_USER: '8',
      RATE_LIMIT_INVITATIONS_PER_ORGANIZATION: '9',
      RATE_LIMIT_INVITATIONS_PER_EMAIL: '10',
      RATE_LIMIT_INVITATIONS_PER_ADDRESS: '11',
      ORGANIZATIONS_PER_USER: '12',
      RATE_LIMIT_EXPORTS_PER_USER: '21',
      RATE_LIMIT_EXPORTS_PER_ORGANIZATION: '22',
      RATE_LIMIT_SIGN_ON_TRIALS_PER_ORGANIZATION: '23',
      ...{ CHAT_RETENTION_DAYS: '365', AUDIT_RETENTION_DAYS: '730', AUDIT_RETENTION_DAYS_MIN: '30' },
      ...{ RATE_LIMIT_TOKENS_PER_ORGANIZATION: '24', RATE_LIMIT_MESSAGES_PER_CONVERSATION: '25' },
      ...{ RATE_LIMIT_MESSAGES_PER_USER: '26', RATE_LIMIT_GROUPS_PER_USER: '27', PEOPLE_PER_GROUP: '28' },
      ...{ RATE_LIMIT_REACTIONS_PER_USER: '36', CHAT_EDIT_MINUTES: '37' },
      ...{ CHAT_FILE_BYTES: '38', RATE_LIMIT_FILE_BYTES_PER_USER: '39' },
      RATE_LIMIT_FILE_BYTES_PER_ORGANIZATION: '40',
      FILE_CHECK_URL: 'http://files.example/',
      ...{ ROOMS_PER_ORGANIZATION: '29', WEBHOOKS_PER_ORGANIZATION: '30' },
      ...{ RATE_LIMIT_WEBHOOK_TESTS_PER_HOST: '6', RATE_LIMIT_WEBHOOK_TESTS_PER_ADDRESS: '60' },
      ...{
        SERVICE_TOKENS_PER_ORGANIZATION: '31',
        BOTS_PER_ORGANIZATION: '30',
        DIRECTORY_CONNECTIONS_PER_ORGANIZATION: '32',
      },
      ...{ DOMAINS_PER_ORGANIZATION: '33', GUESTS_WAITING_PER_ROOM: '34', UNFINISHED_UPLOADS: '35' },
      ...{ SMTP_URL: 'smtps://u:p@mail.example', MAIL_FROM: 'Office <office@example.com>' },
      AVATAR_PUBLIC_BASE_URL: 'https://images.example/a/',
      AVATAR_UPLOAD_TRIES: '0',
      CALENDAR_ENABLED: 'false',
      GOOGLE_CALENDAR_URL: 'http://calendar.example/',
      MICROSOFT_GRAPH_URL: 'http://graph.example/v1.0/',
      CHAT_TOKEN_SECRET: LONG,
      CHAT_TOKEN_SECRET_PREVIOUS: `${LONG}c`,
      CHAT_TOKEN_SECRET_NEXT: `${LONG}d`,
      BROKER_TOKEN_SECRET_PREVIOUS: `${LONG}t`,
      BROKER_TOKEN_SECRET_NEXT: `${LONG}u`,
      BROKER_PROXY_SECRET_PREVIOUS: `${LONG}p`,
      ATRIUM_ALLOW_PRIVATE_ISSUERS: 'true',
      ATRIUM_ALLOW_PRIVATE_WEBHOOKS: 'true',
    }
    expect(Object.keys(given).sort(), 'a new setting needs a line here').toEqual(
      settings.map(({ name }) => name as string).sort(),
    )
    const spaced = Object.fromEntries(Object.entries(given).map(([name, text]) => [name, ` ${text}\n`]))
    const { secretKeys, databaseUrl, databaseReplicaUrl, smtpUrl, ...config } = readConfig(spaced, ROOT)
    expect(config).toMatchObject({
      environment: 'test',
      officeName: 'Harbour',
      signUpByInvitation: true,
      port: 8080,
      host: '0.0.0.0',
      baseUrl: 'https://api.example',
      frontendUrl: 'https://app.example/office',
      origins: [
        'https://app.example',
        'https://api.example',
        'https://one.example',
        'http://two.example:81',
        'http://localhost:8080',
        'http://127.0.0.1:8080',
        'http://[::1]:8080',
      ],
      trustProxy: ['10.0.0.0/8', '::1', 'loopback'],
      connectionsMax: 5_000,
      connectionsPerAddress: 50,
      drainNoticeMs: 30_000,
      traces: { endpoint: 'http://collector:4318', serviceName: 'office', samplePercent: 5 },
      logLevel: 'trace',
      dataDir: '/srv/atrium/data/here',
      databasePoolSize: 20,
      databaseWaitMs: 3_000,
      pilotSignUp: false,
      presenceRestoreManual: true,
      presenceFromCalendar: false,
      logoUploadTries: 9,
      guestsWaitingPerInvite: 6,
      broker: {
        publicUrl: 'wss://broker.example/connection/websocket',
        centrifugo: { apiUrl: 'http://broker.example:9000/api' },
      },
      s3: { endpoint: 'https://s3.example', region: 'eu-central-1', bucket: 'office', accessKeyId: 'key' },
      backupStore: { endpoint: 'https://backups.example', region: 'eu-west-1', accessKeyId: 'their key' },
      ...{ requestsUnderWay: { person: 11, organization: 12 }, mailFrom: 'Office <office@example.com>' },
      retention: { chatDays: 365, auditDays: 730, auditDaysMin: 30 },
      media: {
        url: 'https://media.example',
        publicUrl: 'wss://rtc.example',
        apiKey: 'devkey',
        sandbox: false,
        embedded: undefined,
      },
      metrics: { port: 9100, project: 'office', refreshSeconds: 30, region: 'eu' },
      recordings: { accessDays: 5, fileDays: 6, transcriberUrl: 'http://words.example' },
      webhookDuplicateWindowSeconds: 60,
      mediaSweepSeconds: 7,
      avatarPublicBaseUrl: 'https://images.example/a',
      avatarUploadTries: 0,
      calendarEnabled: false,
      googleCalendarUrl: 'http://calendar.example',
      microsoftGraphUrl: 'http://graph.example/v1.0',
    })
    expect([databaseUrl, databaseReplicaUrl, smtpUrl].map((secret) => secret?.reveal())).toEqual([
      given.DATABASE_URL,
      given.DATABASE_REPLICA_URL,
      given.SMTP_URL,
    ])
    const { chatTokenSecrets, broker } = config
    const rotating = [secretKeys, chatTokenSecrets, broker.tokenSecrets, broker.proxySecrets]
    expect(rotating.map(revealed)).toEqual([
      [[LONG], [`${LONG}y`, `${LONG}x`], [`${LONG}z`]],
      [[LONG], [`${LONG}c`], [`${LONG}d`]],
      [[given.BROKER_TOKEN_SECRET], [`${LONG}t`], [`${LONG}u`]],
      [[given.BROKER_PROXY_SECRET], [`${LONG}p`], []],
    ])
  })

  it('leaves an absolute DATA_DIR where it is', () => {
    expect(readConfig({ DATA_DIR: '/var/lib/office' }, ROOT).dataDir).toBe('/var/lib/office')
  })

  it('listens everywhere in production, logs requests, and lets no browser in by a name of the machine', () => {
    const config = readConfig(PRODUCTION, ROOT)
    expect(config).toMatchObject({ environment: 'production', host: '0.0.0.0', logLevel: 'info' })
    expect(config.origins).toEqual(['https://atrium.example'])
  })

  it('cannot be changed, in no part', () => {
    const config = readConfig(PRODUCTION, ROOT)
    const parts = [config, ...Object.values(config).filter((part) => typeof part === 'object')]
    expect(parts.length).toBeGreaterThan(4)
    for (const part of parts) if (!(part instanceof Secret)) expect(Object.isFrozen(part)).toBe(true)
  })
})

const revealed = ({ current, previous, next }: RotatingSecret) =>
  [[current], previous, next].map((some) => some.map((secret) => secret.reveal()))

describe('secrets that are being changed', () => {
  it('follow from every root secret where they are not given, with those that are given beside', () => {
    const keys = { SECRET_KEY: LONG, SECRET_KEY_PREVIOUS: `${LONG}y`, SECRET_KEY_NEXT: `${LONG}z` }
    const alone = (key: string) => readConfig({ SECRET_KEY: key }, ROOT).chatTokenSecrets.current.reveal()
    const { chatTokenSecrets } = readConfig({ ...keys, CHAT_TOKEN_SECRET_PREVIOUS: `${LONG}c` }, ROOT)
    expect(revealed(chatTokenSecrets)).toEqual([
      [alone(LONG)],
      [`${LONG}c`, alone(`${LONG}y`)],
      [alone(`${LONG}z`)],
    ])
    const own = readConfig({ ...keys, CHAT_TOKEN_SECRET: `${LONG}d` }, ROOT).chatTokenSecrets
    expect(revealed(own)).toEqual([[`${LONG}d`], [], []])
  })

  it('count once: what is in use is neither over nor to come, and what is to come is not over', () => {
    const { secretKeys } = readConfig(
      {
        SECRET_KEY: LONG,
        SECRET_KEY_PREVIOUS: `${LONG}y,${LONG}, ${LONG}z`,
        SECRET_KEY_NEXT: `${LONG}z`,
      },
      ROOT,
    )
    expect(revealed(secretKeys)).toEqual([[LONG], [`${LONG}y`], [`${LONG}z`]])
    expect(revealed(readConfig({ SECRET_KEY: LONG, SECRET_KEY_NEXT: LONG }, ROOT).secretKeys)[2]).toEqual([])
  })

  it('are each long enough', () => {
    expect(problemsIn({ SECRET_KEY_PREVIOUS: `${LONG},short,shorter` })).toEqual([
      'SECRET_KEY_PREVIOUS is too short: at least 32 characters',
    ])
    expect(problemsIn({ SECRET_KEY_PREVIOUS: `${LONG}, ${LONG}y,` })).toEqual([])
  })
})

describe('secrets of the configuration', () => {
  const canary = 'canary-of-the-configuration-0123456789'
  const config = readConfig(
    {
      SECRET_KEY: canary,
      SECRET_KEY_PREVIOUS: `${canary}-1,${canary}-2`,
      SECRET_KEY_NEXT: `${canary}-3`,
      DATABASE_URL: `postgres://u:${canary}@db.example/x`,
      DATABASE_REPLICA_URL: `postgres://u:${canary}@standby.example/x`,
      SMTP_URL: `smtp://u:${canary}@mail.example`,
    },
    ROOT,
  )
  const names = ['secretKeys', 'databaseUrl', 'databaseReplicaUrl', 'smtpUrl'] as const

  it.each<[string, (config: Config) => string]>([
    ['JSON', (given) => JSON.stringify(given)],
    ['inspect', (given) => inspect(given, { depth: 9, showHidden: true, getters: true })],
    ['a template', (given) => names.map((name) => `${given[name]}`).join()],
    ['addition', (given) => names.map((name) => `- ${String(given[name])}`).join()],
    ['their own fields', (given) => names.map((name) => Object.entries({ ...given[name] })).join()],
    ['an error', (given) => inspect(new Error('x', { cause: given }))],
  ])('are not printed by %s', (_way, print) => {
    expect(print(config)).not.toContain('canary')
  })

  it('are not printed by what is said about them', () => {
    const wrong = {
      SECRET_KEY: 'canary',
      SECRET_KEY_PREVIOUS: 'canary',
      DATABASE_URL: 'mysql://u:canary@db.example/x',
      SMTP_URL: 'smtp://u:canary%zz@mail.example',
    }
    const problems = problemsIn(wrong)
    expect(problems).toHaveLength(4)
    expect(problems.join()).not.toContain('canary')
  })
})
