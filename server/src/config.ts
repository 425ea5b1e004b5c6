import { isIP } from 'node:net'
import { isAbsolute, join } from 'node:path'
import { type MetricsConfig, metricsConfigOf } from './config-metrics.ts'
import { deriveKey, Secret } from './platform/secret.ts'
import { DEVELOPMENT_SECRET_KEY, type Setting, type SettingName, settings } from './settings.ts'

export { settings } from './settings.ts'

/** The configuration of a running office: read once, frozen. */
export interface Config {
  environment: 'development' | 'test' | 'production'
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
  /** Undefined: this server knows the people itself. */
  workos: { apiKey: Secret; clientId: string; apiUrl: string } | undefined
  /** Registrations at the social providers; undefined: not offered, or by the sandbox. */
  google: ProviderRegistration | undefined
  microsoft: ProviderRegistration | undefined
  /** Whether pilot customers may sign up in this environment. */
  pilotSignUp: boolean
  limits: {
    codesPerEmail: number
    signInPerAddress: number
    guessesPerAddress: number
    guestPerAddress: number
    perUser: number
  }
  smtpUrl: Secret | undefined
  mailFrom: string
  broker: BrokerConfig
  presenceRestoreManual: boolean
  /** Undefined: there is no media server. Outside production the sandbox stands in for one. */
  media: MediaConfig | undefined
  recordings: { webhookSecret: Secret; accessDays: number; fileDays: number }
  avatarPublicBaseUrl: string
  avatarUploadTries: number
  logoUploadTries: number
  /** Undefined: an image check of our own runs beside the server. */
  imageCheckUrl: string | undefined
  /** Undefined: files are kept in the data folder. */
  s3: S3Config | undefined
  calendarEnabled: boolean
  webhookDuplicateWindowSeconds: number
  /** 0: never. */
  mediaSweepSeconds: number
  metrics: MetricsConfig
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

const SECRET_LENGTH_MIN = 32
/** Secrets that others have made: their length is not ours to judge. */
const GIVEN_BY_OTHERS: readonly SettingName[] = [
  'WORKOS_API_KEY',
  'GOOGLE_CLIENT_SECRET',
  'MICROSOFT_CLIENT_SECRET',
  'S3_SECRET_ACCESS_KEY',
]
/** Keys that another program is configured with too: outside production their length is its business. */
const SHARED: readonly SettingName[] = [
  'BROKER_TOKEN_SECRET',
  'BROKER_PROXY_SECRET',
  'CENTRIFUGO_API_KEY',
  'LIVEKIT_API_SECRET',
  'RECORDINGS_WEBHOOK_SECRET',
  'METRICS_TOKEN',
]

/** One address, alone or in angle brackets after a name, which is in quotes where it holds commas and the like. */
const ONE_SENDER = /^(?:(?:"[^"]*"\s*|[^<>@",;:]*)<[^\s<>@,;]+@[^\s<>@,;]+>|[^\s<>@,;]+@[^\s<>@,;]+)$/

interface Form {
  fits(text: string): boolean
  /** Goes on after "is not". */
  name: string
}

/** What some settings must be beyond their kind; of a list, each of its parts. */
const FORMS: Partial<Record<SettingName, Form>> = {
  ALLOWED_ORIGINS: { fits: (text) => isAddress(text), name: 'an http or https origin' },
  TRUST_PROXY: { fits: isNetwork, name: 'an address or a network such as 10.0.0.0/8' },
  DATABASE_URL: {
    fits: (text) => isAddressOf(/^postgres(ql)?:$/, text),
    name: 'an address of the form postgres://user:password@host/database',
  },
  SMTP_URL: {
    fits: (text) => isAddressOf(/^smtps?:$/, text),
    name: 'an address of the form smtp://user:password@host:587',
  },
  MAIL_FROM: {
    fits: (text) => ONE_SENDER.test(text),
    name: 'one sender, such as Atrium <no-reply@example.com>',
  },
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
    port,
    host: text('HOST') ?? (production ? '0.0.0.0' : '127.0.0.1'),
    baseUrl,
    frontendUrl,
    origins: originsOf([frontendUrl, baseUrl, ...list('ALLOWED_ORIGINS')], production ? undefined : port),
    trustProxy: Object.freeze(list('TRUST_PROXY')),
    logLevel: text('LOG_LEVEL') ?? (production ? 'info' : 'warn'),
    secretKey,
    previousSecretKey: secret('SECRET_KEY_PREVIOUS'),
    dataDir: isAbsolute(dataDir) ? dataDir : join(root, dataDir),
    databaseUrl: secret('DATABASE_URL'),
    databasePoolSize: Number(text('DATABASE_POOL_SIZE')),
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
    pilotSignUp: list('PILOT_SIGN_UP_ENVIRONMENTS').includes(environmentName),
    limits: Object.freeze({
      codesPerEmail: Number(text('RATE_LIMIT_CODES_PER_EMAIL')),
      signInPerAddress: Number(text('RATE_LIMIT_SIGN_IN_PER_ADDRESS')),
      guessesPerAddress: Number(text('RATE_LIMIT_GUESSES_PER_ADDRESS')),
      guestPerAddress: Number(text('RATE_LIMIT_GUEST_PER_ADDRESS')),
      perUser: Number(text('RATE_LIMIT_PER_USER')),
    }),
    smtpUrl: secret('SMTP_URL'),
    mailFrom: text('MAIL_FROM') as string,
    broker: Object.freeze<BrokerConfig>({
      publicUrl: text('BROKER_PUBLIC_URL') ?? `${baseUrl.replace(/^http/, 'ws')}/connection/websocket`,
      tokenSecret: secret('BROKER_TOKEN_SECRET') ?? derived(secretKey, 'broker-token'),
      proxySecret: secret('BROKER_PROXY_SECRET') ?? derived(secretKey, 'broker-proxy'),
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
    avatarPublicBaseUrl: withoutSlash(text('AVATAR_PUBLIC_BASE_URL') ?? `${baseUrl}/storage`),
    avatarUploadTries: Number(text('AVATAR_UPLOAD_TRIES')),
    logoUploadTries: Number(text('LOGO_UPLOAD_TRIES')),
    imageCheckUrl: text('IMAGE_CHECK_URL') && withoutSlash(text('IMAGE_CHECK_URL') as string),
    s3: text('STORAGE') === 's3' ? s3Of(text, secret) : undefined,
    calendarEnabled: text('CALENDAR_ENABLED') === 'true',
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

function problemsOf(setting: Setting, given: string | undefined, production: boolean): string[] {
  const { name } = setting
  if (!given) {
    if (!production || !setting.requiredInProduction) return []
    return [`${name} is missing: production does not start without it. ${setting.description}`]
  }
  if (setting.kind === 'secret') return secretProblems(setting, given, production)
  if (setting.kind === 'choice' && !setting.choices?.includes(given)) {
    return [`${name} is "${given}": it must be one of ${setting.choices?.join(', ')}`]
  }
  if (setting.kind === 'boolean' && given !== 'true' && given !== 'false')
    return [`${name} must be true or false`]
  if (setting.kind === 'number') return numberProblems(setting, given)
  if (setting.kind === 'url' && !isAddress(given, setting.protocols)) {
    const wanted = setting.protocols
      ? setting.protocols.map((one) => `${one}//`).join(' or ')
      : 'http or https'
    return [
      `${name} is not an ${setting.protocols ? '' : 'http or https '}address${setting.protocols ? ` with ${wanted}` : ''}: ${given}`,
    ]
  }
  return formProblems(setting, given)
}

function formProblems(setting: Setting, given: string): string[] {
  const form = FORMS[setting.name as SettingName]
  if (!form) return []
  const parts = setting.kind === 'list' ? partsOf(given) : [given]
  return parts
    .filter((part) => !form.fits(part))
    .map((part) => `${setting.name}: "${part}" is not ${form.name}`)
}

/** What another setting makes necessary. */
function unmetNeed(setting: Setting, text: (name: SettingName) => string | undefined): string[] {
  const { name, neededWhere } = setting
  if (!neededWhere || text(name as SettingName) !== undefined) return []
  const { setting: other, is } = neededWhere
  const value = text(other as SettingName)
  if (value === undefined || (is !== undefined && value !== is)) return []
  return [
    `${name} is missing: ${is === undefined ? other : `${other}=${is}`} needs it. ${setting.description}`,
  ]
}

function derived(root: Secret, purpose: string): Secret {
  return new Secret(Buffer.from(deriveKey(root, purpose)).toString('base64url'))
}

function secretProblems(setting: Setting, given: string, production: boolean): string[] {
  const { name } = setting
  // an address with credentials, not a key
  const form = FORMS[name as SettingName]
  if (form) return form.fits(given) ? [] : [`${name} is not ${form.name}`]
  if (production && given === DEVELOPMENT_SECRET_KEY) {
    return [`${name} is the public default of development: production does not start with it`]
  }
  const anyLength =
    GIVEN_BY_OTHERS.includes(name as SettingName) || (SHARED.includes(name as SettingName) && !production)
  if (given.length < SECRET_LENGTH_MIN && !anyLength)
    return [`${name} is too short: at least ${SECRET_LENGTH_MIN} characters`]
  return []
}

function numberProblems(setting: Setting, given: string): string[] {
  const [smallest, largest] = setting.range ?? [0, Number.MAX_SAFE_INTEGER]
  const value = /^\d+$/.test(given) ? Number(given) : Number.NaN
  if (value >= smallest && value <= largest) return []
  return [`${setting.name} is "${given}": it must be a whole number from ${smallest} to ${largest}`]
}

function isAddress(text: string, protocols: readonly string[] = ['http:', 'https:']): boolean {
  return URL.canParse(text) && protocols.includes(new URL(text).protocol)
}

function isAddressOf(protocols: RegExp, text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  try {
    decodeURIComponent(username + password)
  } catch {
    return false
  }
  return protocols.test(protocol)
}

/** An address, a network in CIDR form, or one of the names that Fastify knows. */
function isNetwork(text: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true
  const [address = '', bits, ...rest] = text.split('/')
  const longest = isIP(address) === 6 ? 128 : 32
  if (isIP(address) === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d+$/.test(bits) && Number(bits) >= 1 && Number(bits) <= longest)
}

function partsOf(list: string): string[] {
  return list
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '')
}

/** Outside production a browser may have opened the office by any name of this machine. */
function originsOf(addresses: readonly string[], loopbackPort: number | undefined): readonly string[] {
  const loopback =
    loopbackPort === undefined
      ? []
      : ['localhost', '127.0.0.1', '[::1]'].map((name) => `http://${name}:${loopbackPort}`)
  const origins = [...addresses, ...loopback]
    .filter((address) => URL.canParse(address))
    .map((address) => new URL(address).origin)
  return Object.freeze([...new Set(origins)])
}
