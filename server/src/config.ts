import { isAbsolute, join } from 'node:path'
import { Secret } from './platform/secret.ts'
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
    perUser: number
  }
  smtpUrl: Secret | undefined
  mailFrom: string
  avatarPublicBaseUrl: string
  avatarUploadTries: number
  calendarEnabled: boolean
}

/** Our registration at a provider. */
export interface ProviderRegistration {
  issuer: string
  clientId: string
  clientSecret: Secret
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
/** Secrets that others have made: their length is not ours to judge. */
const GIVEN_BY_OTHERS: readonly SettingName[] = [
  'WORKOS_API_KEY',
  'GOOGLE_CLIENT_SECRET',
  'MICROSOFT_CLIENT_SECRET',
]
const ADDRESSES: readonly SettingName[] = ['DATABASE_URL', 'SMTP_URL']

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
    problems.push(...problemsOf(setting, environment[setting.name]?.trim(), production))
  if (text('IDENTITY_PROVIDER') === 'workos') {
    for (const name of ['WORKOS_API_KEY', 'WORKOS_CLIENT_ID'] as const)
      if (text(name) === undefined) problems.push(`${name} is missing: IDENTITY_PROVIDER is workos`)
  }
  if (problems.length > 0) throw new ConfigurationProblem(problems)

  const secret = (name: SettingName) =>
    text(name) === undefined ? undefined : new Secret(text(name) as string)
  const list = (name: SettingName) =>
    (text(name) ?? '')
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean)
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
  return Object.freeze<Config>({
    environment: environmentName,
    port,
    host: text('HOST') ?? (production ? '0.0.0.0' : '127.0.0.1'),
    baseUrl,
    frontendUrl,
    origins: originsOf([frontendUrl, baseUrl, ...list('ALLOWED_ORIGINS')], production ? undefined : port),
    trustProxy: list('TRUST_PROXY'),
    logLevel: text('LOG_LEVEL') ?? (production ? 'info' : 'warn'),
    secretKey: secret('SECRET_KEY') as Secret,
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
      perUser: Number(text('RATE_LIMIT_PER_USER')),
    }),
    smtpUrl: secret('SMTP_URL'),
    mailFrom: text('MAIL_FROM') as string,
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
  if (setting.kind === 'url' && !isWebAddress(given))
    return [`${name} is not an http or https address: ${given}`]
  return []
}

function secretProblems(setting: Setting, given: string, production: boolean): string[] {
  const { name } = setting
  if (ADDRESSES.includes(name as SettingName)) return URL.canParse(given) ? [] : [`${name} is not an address`]
  if (production && given === DEVELOPMENT_SECRET_KEY) {
    return [`${name} is the public default of development: production does not start with it`]
  }
  if (!GIVEN_BY_OTHERS.includes(name as SettingName) && given.length < SECRET_LENGTH_MIN)
    return [`${name} is too short: at least ${SECRET_LENGTH_MIN} characters`]
  return []
}

function numberProblems(setting: Setting, given: string): string[] {
  const [smallest, largest] = setting.range ?? [0, Number.MAX_SAFE_INTEGER]
  const value = /^\d+$/.test(given) ? Number(given) : Number.NaN
  if (value >= smallest && value <= largest) return []
  return [`${setting.name} is "${given}": it must be a whole number from ${smallest} to ${largest}`]
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
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
