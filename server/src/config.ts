import { isAbsolute, join } from 'node:path'
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
  identityProvider: 'local'
  limits: {
    codesPerEmail: number
    signInPerAddress: number
    guessesPerAddress: number
    perUser: number
  }
  smtpUrl: Secret | undefined
  mailFrom: string
  broker: BrokerConfig
  presenceRestoreManual: boolean
  avatarPublicBaseUrl: string
  avatarUploadTries: number
  calendarEnabled: boolean
}

export interface BrokerConfig {
  /** Where clients connect. */
  publicUrl: string
  tokenSecret: Secret
  proxySecret: Secret
  /** Of a Centrifugo; absent where the broker is embedded. */
  centrifugo: { apiUrl: string; apiKey: Secret } | undefined
}

/** What is wrong with the environment: one line for each setting. */
export class ConfigurationProblem extends Error {
  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.name = 'ConfigurationProblem'
  }
}

const SECRET_LENGTH_MIN = 32
/** Settings of kind secret that hold an address with credentials, not a key. */
const ADDRESSES: readonly SettingName[] = ['DATABASE_URL', 'SMTP_URL']
/** Keys that another program is configured with too: outside production their length is its business. */
const SHARED: readonly SettingName[] = ['BROKER_TOKEN_SECRET', 'BROKER_PROXY_SECRET', 'CENTRIFUGO_API_KEY']

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
  const list = (name: SettingName) =>
    (text(name) ?? '')
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean)
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
    trustProxy: list('TRUST_PROXY'),
    logLevel: text('LOG_LEVEL') ?? (production ? 'info' : 'warn'),
    secretKey,
    previousSecretKey: secret('SECRET_KEY_PREVIOUS'),
    dataDir: isAbsolute(dataDir) ? dataDir : join(root, dataDir),
    databaseUrl: secret('DATABASE_URL'),
    databasePoolSize: Number(text('DATABASE_POOL_SIZE')),
    identityProvider: text('IDENTITY_PROVIDER') as 'local',
    limits: Object.freeze({
      codesPerEmail: Number(text('RATE_LIMIT_CODES_PER_EMAIL')),
      signInPerAddress: Number(text('RATE_LIMIT_SIGN_IN_PER_ADDRESS')),
      guessesPerAddress: Number(text('RATE_LIMIT_GUESSES_PER_ADDRESS')),
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
    avatarPublicBaseUrl: withoutSlash(text('AVATAR_PUBLIC_BASE_URL') ?? `${baseUrl}/storage`),
    avatarUploadTries: Number(text('AVATAR_UPLOAD_TRIES')),
    calendarEnabled: text('CALENDAR_ENABLED') === 'true',
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
    return [`${name} is not an address with ${wanted}: ${given}`]
  }
  return []
}

/** What another setting makes necessary. */
function unmetNeed(setting: Setting, text: (name: SettingName) => string | undefined): string[] {
  const { name, neededWhere } = setting
  if (!neededWhere || text(neededWhere.setting as SettingName) !== neededWhere.is) return []
  if (text(name as SettingName) !== undefined) return []
  return [`${name} is missing: ${neededWhere.setting}=${neededWhere.is} needs it. ${setting.description}`]
}

function derived(root: Secret, purpose: string): Secret {
  return new Secret(Buffer.from(deriveKey(root, purpose)).toString('base64url'))
}

function secretProblems(setting: Setting, given: string, production: boolean): string[] {
  const { name } = setting
  if (ADDRESSES.includes(name as SettingName)) return URL.canParse(given) ? [] : [`${name} is not an address`]
  if (production && given === DEVELOPMENT_SECRET_KEY) {
    return [`${name} is the public default of development: production does not start with it`]
  }
  const anyLength = SHARED.includes(name as SettingName) && !production
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
