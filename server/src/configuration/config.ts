import { isAbsolute, join } from 'node:path'
import { deriveKey, Secret } from '../platform/secrets/secret.ts'
import { type MetricsConfig, metricsConfigOf } from './config-metrics.ts'
import { originsOf } from './config-origins.ts'
import { forgottenEnvironment, partsOf, problemsOf, unmetNeed } from './config-problems.ts'
import { type Setting, type SettingName, settings } from './settings.ts'

export { settings } from './settings.ts'

/** The configuration of a running office: read once, frozen. */
export interface Config {
  environment: 'development' | 'test' | 'production'
  /** Shown to whoever comes, before they sign in. */
  officeName: string
  /** Whether only people who were invited may have an account. */
  signUpByInvitation: boolean
  port: number
  host: string
  /** Without a slash at the end. */
  baseUrl: string
  frontendUrl: string
  /** Origins whose browsers may call: of the front end, of this server, and those allowed besides. */
  origins: readonly string[]
  trustProxy: readonly string[]
  logLevel: string
  secretKey: Secret
  previousSecretKey: Secret | undefined
  dataDir: string
  databaseUrl: Secret | undefined
  databasePoolSize: number
  /** How long one request waits for the database before it is answered 503. */
  databaseWaitMs: number
  /** Undefined: this server knows the people itself. */
  workos: { apiKey: Secret; clientId: string; apiUrl: string } | undefined
  /** Registrations at the social providers; undefined: not offered, or by the sandbox. */
  google: ProviderRegistration | undefined
  microsoft: ProviderRegistration | undefined
  /** Whether issuers and calendars may be at addresses that are not public: always outside production. */
  allowPrivateIssuers: boolean
  /** Whether pilot customers may sign up in this environment. */
  pilotSignUp: boolean
  limits: {
    codesPerEmail: number
    codesPerEmailHour: number
    signInPerAddress: number
    guessesPerAddress: number
    guessesPerEmailHour: number
    guessesPerEmailDay: number
    guestPerAddress: number
    uploadBytesPerUser: number
    perUser: number
    perToken: number
    invitationsPerUser: number
    invitationsPerOrganization: number
    invitationsPerEmail: number
  }
  smtpUrl: Secret | undefined
  mailFrom: string
  broker: BrokerConfig
  presenceRestoreManual: boolean
  /** Undefined: there is no media server. Outside production the sandbox stands in for one. */
  media: MediaConfig | undefined
  recordings: { webhookSecret: Secret; accessDays: number; fileDays: number }
  chatTokenSecret: Secret
  avatarPublicBaseUrl: string
  avatarUploadTries: number
  logoUploadTries: number
  /** 0: no limit. */
  guestsWaitingPerInvite: number
  /** Undefined: an image check of our own runs beside the server. */
  imageCheckUrl: string | undefined
  /** Undefined: files are kept in the data folder. */
  s3: S3Config | undefined
  calendarEnabled: boolean
  webhookDuplicateWindowSeconds: number
  /** 0: never. */
  mediaSweepSeconds: number
  metrics: MetricsConfig
  /** Where the providers' calendars answer. */
  googleCalendarUrl: string
  microsoftGraphUrl: string
}

/** Our registration at a provider. */
export interface ProviderRegistration {
  issuer: string
  clientId: string
  clientSecret: Secret
}

export interface BrokerConfig {
  /** Where clients connect. */
  publicUrl: string
  tokenSecret: Secret
  proxySecret: Secret
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
}

export interface S3Config {
  endpoint: string
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: Secret
}

/** What is wrong with the environment: one line for each setting. */
export class ConfigurationProblem extends Error {
  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.name = 'ConfigurationProblem'
  }
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads the configuration from an environment.
 * @param root folder of the checkout; a relative DATA_DIR lies in it
 * @throws ConfigurationProblem naming every setting that is missing or wrong
 */
export function readConfig(environment: Environment, root: string): Config {
  const problems: string[] = []
  const text = (name: SettingName): string | undefined => {
    const setting = settings.find((candidate) => candidate.name === name) as Setting
    return environment[name]?.trim() || setting.default || undefined
  }
  const environmentName = (text('ATRIUM_ENV') ?? 'development') as Config['environment']
  const production = environmentName === 'production'
  for (const setting of settings)
    problems.push(
      ...problemsOf(setting, environment[setting.name]?.trim(), production),
      ...unmetNeed(setting, text),
    )
  if (!environment.ATRIUM_ENV?.trim()) problems.push(...forgottenEnvironment(text))
  if (problems.length > 0) throw new ConfigurationProblem(problems)

  const secret = (name: SettingName) =>
    text(name) === undefined ? undefined : new Secret(text(name) as string)
  const list = (name: SettingName) => partsOf(text(name) ?? '')
  const registration = (vendor: 'GOOGLE' | 'MICROSOFT') => {
    const clientId = text(`${vendor}_CLIENT_ID`)
    const clientSecret = secret(`${vendor}_CLIENT_SECRET`)
    const issuer = text(`${vendor}_ISSUER_URL`)
    return clientId && clientSecret && issuer ? Object.freeze({ issuer, clientId, clientSecret }) : undefined
  }
  const port = Number(text('PORT'))
  const baseUrl = withoutSlash(text('BASE_URL') ?? `http://localhost:${port}`)
  const frontendUrl = withoutSlash(text('FRONTEND_URL') ?? baseUrl)
  const dataDir = text('DATA_DIR') as string
  const secretKey = secret('SECRET_KEY') as Secret
  return Object.freeze<Config>({
    environment: environmentName,
    officeName: text('OFFICE_NAME') as string,
    signUpByInvitation: text('SIGN_UP') === 'invitation',
    port,
    host: oneAddress(text('HOST') ?? (production ? '0.0.0.0' : '127.0.0.1')),
    baseUrl,
    frontendUrl,
    origins: originsOf({
      ...{ environment: environmentName, baseUrl, frontendUrl, port },
      others: list('ALLOWED_ORIGINS'),
    }),
    trustProxy: Object.freeze(list('TRUST_PROXY')),
    logLevel: text('LOG_LEVEL') ?? (production ? 'info' : 'warn'),
    secretKey,
    previousSecretKey: secret('SECRET_KEY_PREVIOUS'),
    dataDir: isAbsolute(dataDir) ? dataDir : join(root, dataDir),
    databaseUrl: secret('DATABASE_URL'),
    databasePoolSize: Number(text('DATABASE_POOL_SIZE')),
    databaseWaitMs: Number(text('DATABASE_WAIT_MS')),
    workos:
      text('IDENTITY_PROVIDER') === 'workos'
        ? Object.freeze({
            apiKey: secret('WORKOS_API_KEY') as Secret,
            clientId: text('WORKOS_CLIENT_ID') as string,
            apiUrl: withoutSlash(text('WORKOS_API_URL') as string),
          })
        : undefined,
    google: registration('GOOGLE'),
    microsoft: registration('MICROSOFT'),
    allowPrivateIssuers: !production || text('ATRIUM_ALLOW_PRIVATE_ISSUERS') === 'true',
    pilotSignUp: list('PILOT_SIGN_UP_ENVIRONMENTS').includes(environmentName),
    limits: Object.freeze({
      codesPerEmail: Number(text('RATE_LIMIT_CODES_PER_EMAIL')),
      codesPerEmailHour: Number(text('RATE_LIMIT_CODES_PER_EMAIL_HOUR')),
      signInPerAddress: Number(text('RATE_LIMIT_SIGN_IN_PER_ADDRESS')),
      guessesPerAddress: Number(text('RATE_LIMIT_GUESSES_PER_ADDRESS')),
      guessesPerEmailHour: Number(text('RATE_LIMIT_GUESSES_PER_EMAIL_HOUR')),
      guessesPerEmailDay: Number(text('RATE_LIMIT_GUESSES_PER_EMAIL_DAY')),
      guestPerAddress: Number(text('RATE_LIMIT_GUEST_PER_ADDRESS')),
      uploadBytesPerUser: Number(text('RATE_LIMIT_UPLOAD_BYTES_PER_USER')),
      perUser: Number(text('RATE_LIMIT_PER_USER')),
      perToken: Number(text('RATE_LIMIT_PER_TOKEN')),
      invitationsPerUser: Number(text('RATE_LIMIT_INVITATIONS_PER_USER')),
      invitationsPerOrganization: Number(text('RATE_LIMIT_INVITATIONS_PER_ORGANIZATION')),
      invitationsPerEmail: Number(text('RATE_LIMIT_INVITATIONS_PER_EMAIL')),
    }),
    smtpUrl: secret('SMTP_URL'),
    mailFrom: text('MAIL_FROM') as string,
    broker: Object.freeze<BrokerConfig>({
      publicUrl: text('BROKER_PUBLIC_URL') ?? `${baseUrl.replace(/^http/, 'ws')}/connection/websocket`,
      tokenSecret: secret('BROKER_TOKEN_SECRET') ?? derived(secretKey, 'broker-token'),
      proxySecret: secret('BROKER_PROXY_SECRET') ?? derived(secretKey, 'broker-proxy'),
      connectionsPerUser: Number(text('CONNECTIONS_PER_USER')),
      centrifugo:
        text('BROKER') === 'centrifugo'
          ? Object.freeze({
              apiUrl: withoutSlash(text('CENTRIFUGO_API_URL') as string),
              apiKey: secret('CENTRIFUGO_API_KEY') as Secret,
            })
          : undefined,
    }),
    presenceRestoreManual: text('PRESENCE_RESTORE_MANUAL') === 'true',
    media: mediaOf(text, secret, { production, baseUrl, secretKey }),
    recordings: Object.freeze({
      webhookSecret: secret('RECORDINGS_WEBHOOK_SECRET') ?? derived(secretKey, 'recordings-webhook'),
      accessDays: Number(text('RECORDINGS_ACCESS_DAYS')),
      fileDays: Number(text('RECORDINGS_FILE_DAYS')),
    }),
    chatTokenSecret: secret('CHAT_TOKEN_SECRET') ?? derived(secretKey, 'chat-token'),
    avatarPublicBaseUrl: withoutSlash(text('AVATAR_PUBLIC_BASE_URL') ?? `${baseUrl}/storage`),
    avatarUploadTries: Number(text('AVATAR_UPLOAD_TRIES')),
    logoUploadTries: Number(text('LOGO_UPLOAD_TRIES')),
    guestsWaitingPerInvite: Number(text('GUESTS_WAITING_PER_INVITE')),
    imageCheckUrl: text('IMAGE_CHECK_URL') && withoutSlash(text('IMAGE_CHECK_URL') as string),
    s3: text('STORAGE') === 's3' ? s3Of(text, secret) : undefined,
    calendarEnabled: text('CALENDAR_ENABLED') === 'true',
    googleCalendarUrl: withoutSlash(text('GOOGLE_CALENDAR_URL') as string),
    microsoftGraphUrl: withoutSlash(text('MICROSOFT_GRAPH_URL') as string),
    webhookDuplicateWindowSeconds: Number(text('WEBHOOK_DUPLICATE_WINDOW_SECONDS')),
    mediaSweepSeconds: Number(text('MEDIA_SWEEP_SECONDS')),
    metrics: metricsConfigOf(text, secret),
  })
}

function mediaOf(
  text: (name: SettingName) => string | undefined,
  secret: (name: SettingName) => Secret | undefined,
  office: { production: boolean; baseUrl: string; secretKey: Secret },
): MediaConfig | undefined {
  const given = text('LIVEKIT_URL')
  if (!given && office.production) return undefined
  const url = withoutSlash(given ?? `${office.baseUrl}/sandbox/media`)
  return Object.freeze<MediaConfig>({
    url,
    publicUrl: withoutSlash(text('LIVEKIT_PUBLIC_URL') ?? url.replace(/^http/, 'ws')),
    apiKey: text('LIVEKIT_API_KEY') ?? 'sandbox',
    apiSecret: secret('LIVEKIT_API_SECRET') ?? derived(office.secretKey, 'sandbox-media'),
    sandbox: !given,
  })
}

function s3Of(
  text: (name: SettingName) => string | undefined,
  secret: (name: SettingName) => Secret | undefined,
): S3Config {
  return Object.freeze<S3Config>({
    endpoint: withoutSlash(text('S3_ENDPOINT') as string),
    region: text('S3_REGION') as string,
    bucket: text('S3_BUCKET') as string,
    accessKeyId: text('S3_ACCESS_KEY_ID') as string,
    secretAccessKey: secret('S3_SECRET_ACCESS_KEY') as Secret,
  })
}

function derived(root: Secret, purpose: string): Secret {
  return new Secret(Buffer.from(deriveKey(root, purpose)).toString('base64url'))
}

/** For `localhost` Fastify opens a second server, on ::1, which knows nothing of the calls of machines. */
function oneAddress(host: string): string {
  return host.toLowerCase() === 'localhost' ? '127.0.0.1' : host
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '')
}
