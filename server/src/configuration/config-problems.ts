import { isIP, isIPv4 } from 'node:net'
import { isLoopback } from '../platform/http/connections/loopback.ts'
import { isGuessable } from '../platform/secrets/secret-strength.ts'
import { fits, fittingNumbers } from './settings/number-range.ts'
import { DEVELOPMENT_SECRET_KEY, type Setting, type SettingName } from './settings.ts'

const SECRET_LENGTH_MIN = 32
/** Secrets that others have made: their length is not ours to judge. */
const GIVEN_BY_OTHERS: readonly SettingName[] = [
  'WORKOS_API_KEY',
  'GOOGLE_CLIENT_SECRET',
  'MICROSOFT_CLIENT_SECRET',
  'S3_SECRET_ACCESS_KEY',
  'BACKUP_S3_SECRET_ACCESS_KEY',
  'OTEL_EXPORTER_OTLP_HEADERS',
]
/** Keys that another program is configured with too: outside production their length is its business. */
const SHARED: readonly SettingName[] = [
  'BROKER_TOKEN_SECRET',
  'BROKER_PROXY_SECRET',
  'CENTRIFUGO_API_KEY',
  'LIVEKIT_API_SECRET',
  'RECORDINGS_WEBHOOK_SECRET',
  'METRICS_TOKEN',
  'CHAT_TOKEN_SECRET',
  'BROKER_TOKEN_SECRET_PREVIOUS',
  'BROKER_TOKEN_SECRET_NEXT',
  'BROKER_PROXY_SECRET_PREVIOUS',
  'CHAT_TOKEN_SECRET_PREVIOUS',
  'CHAT_TOKEN_SECRET_NEXT',
]

/** Sessions, codes, tokens and links with tokens go there and come from there. */
const PUBLIC_ADDRESSES: readonly SettingName[] = [
  'BASE_URL',
  'FRONTEND_URL',
  'BROKER_PUBLIC_URL',
  'LIVEKIT_PUBLIC_URL',
]

/** One address, alone or in angle brackets after a name, which is in quotes where it holds commas and the like. */
const ONE_SENDER = /^(?:(?:"[^"]*"\s*|[^<>@",;:]*)<[^\s<>@,;]+@[^\s<>@,;]+>|[^\s<>@,;]+@[^\s<>@,;]+)$/

interface Form {
  fits(text: string): boolean
  /** Goes on after "is not". */
  name: string
}

const IN_A_PASSWORD = 'In a password # is written %23, / %2F, ? %3F, @ %40 and % %25'

const OF_A_DATABASE: Form = {
  fits: (text) => isAddressOf(/^postgres(ql)?:$/, text),
  name: `an address of the form postgres://user:password@host/database. ${IN_A_PASSWORD}`,
}

/** What some settings must be beyond their kind; of a list, each of its parts. */
const FORMS: Partial<Record<SettingName, Form>> = {
  ALLOWED_ORIGINS: {
    fits: (text) => isAddress(text) && !hasCredentials(text),
    name: 'an http or https origin, without user and password',
  },
  TRUST_PROXY: { fits: isNetwork, name: 'an address or a network such as 10.0.0.0/8' },
  DATABASE_URL: OF_A_DATABASE,
  DATABASE_REPLICA_URL: OF_A_DATABASE,
  SMTP_URL: {
    fits: (text) => isAddressOf(/^smtps?:$/, text),
    name: `an address of the form smtp://user:password@host:587. ${IN_A_PASSWORD}`,
  },
  MAIL_FROM: {
    fits: (text) => ONE_SENDER.test(text),
    name: 'one sender, such as Atrium <no-reply@example.com>',
  },
  EMBEDDED_MEDIA_ADDRESS: { fits: isIPv4, name: 'an IPv4 address such as 192.168.1.20' },
}

/** What is wrong with the value of a setting, in words for the operator. Never the text of a secret. */
export function problemsOf(setting: Setting, text: string | undefined, production: boolean): string[] {
  const { name } = setting
  if (!text) {
    if (!production || !setting.requiredInProduction) return []
    return [`${name} is missing: production does not start without it. ${setting.description}`]
  }
  if (setting.kind === 'secret') {
    const secrets = setting.isList ? partsOf(text) : [text]
    return [...new Set(secrets.flatMap((one) => secretProblems(setting, one, production)))]
  }
  if (setting.kind === 'choice' && !setting.choices?.includes(text)) {
    return [`${name} is "${text}": it must be one of ${setting.choices?.join(', ')}`]
  }
  if (setting.kind === 'boolean' && text !== 'true' && text !== 'false')
    return [`${name} must be true or false`]
  if (setting.kind === 'number') return numberProblems(setting, text)
  if (setting.kind === 'url' && !isAddress(text, setting.protocols)) {
    const wanted = setting.protocols
      ? setting.protocols.map((one) => `${one}//`).join(' or ')
      : 'http or https'
    return [
      `${name} is not an ${setting.protocols ? '' : 'http or https '}address${setting.protocols ? ` with ${wanted}` : ''}: ${withoutCredentials(text)}`,
    ]
  }
  if (setting.kind === 'url' && hasCredentials(text))
    return [`${name} has a user or a password in it, which nothing here sends: give the address alone`]
  if (name === 'BASE_URL' && new URL(text).pathname !== '/')
    return [`${name} has a path: an office is reached at the root of its host`]
  if (production && PUBLIC_ADDRESSES.includes(name as SettingName) && !isProtected(text)) {
    const wanted = text.startsWith('ws') ? 'wss' : 'https'
    return [`${name} is ${text}: production starts with ${wanted} alone, but on a loopback address`]
  }
  return formProblems(setting, text)
}

/**
 * Whether an office that was never told to be one of development would be seen by others: its root secret is public,
 * its mailbox open, and any visitor is signed in.
 */
export function forgottenEnvironment(text: (name: SettingName) => string | undefined): string[] {
  const hostOf = (url: string | undefined) => (url && isAddress(url) ? new URL(url).hostname : undefined)
  const reached: [SettingName, host: string | undefined][] = [
    ['BASE_URL', hostOf(text('BASE_URL'))],
    ['FRONTEND_URL', hostOf(text('FRONTEND_URL'))],
    ['HOST', text('HOST')],
  ]
  const beyond = reached.filter(([, host]) => host !== undefined && !isLoopback(host))
  return beyond.map(
    ([name]) =>
      `${name} is ${withoutCredentials(text(name) ?? '')}, beyond this machine, and ATRIUM_ENV is not set. Set ATRIUM_ENV=production. ` +
      'ATRIUM_ENV=development opens an office there in which everybody can read all mails and sign in as anybody.',
  )
}

/** One port cannot be listened on twice. */
export function sharedPort(metricsPort: string | undefined, port: string): string[] {
  if (metricsPort === undefined || Number(metricsPort) !== Number(port)) return []
  return [`METRICS_PORT is ${metricsPort}, which is the PORT of the office: give the metrics another one`]
}

/** What no one on the way can read or change. */
function isProtected(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'https:' || protocol === 'wss:' || isLoopback(hostname)
}

function formProblems(setting: Setting, text: string): string[] {
  const form = FORMS[setting.name as SettingName]
  if (!form) return []
  const parts = setting.kind === 'list' ? partsOf(text) : [text]
  return parts
    .filter((part) => !form.fits(part))
    .map((part) => `${setting.name}: "${withoutCredentials(part)}" is not ${form.name}`)
}

/** What another setting makes necessary. */
export function unmetNeed(setting: Setting, text: (name: SettingName) => string | undefined): string[] {
  const { name, neededWhere } = setting
  if (!neededWhere || text(name as SettingName) !== undefined) return []
  const { setting: other, is } = neededWhere
  const value = text(other as SettingName)
  if (value === undefined || (is !== undefined && value !== is)) return []
  return [
    `${name} is missing: ${is === undefined ? other : `${other}=${is}`} needs it. ${setting.description}`,
  ]
}

function secretProblems(setting: Setting, text: string, production: boolean): string[] {
  const { name } = setting
  // an address with credentials, not a key
  const form = FORMS[name as SettingName]
  if (form) return form.fits(text) ? [] : [`${name} is not ${form.name}`]
  if (production && text === DEVELOPMENT_SECRET_KEY) {
    return [`${name} is the public default of development: production does not start with it`]
  }
  if (GIVEN_BY_OTHERS.includes(name as SettingName)) return []
  const anyLength = SHARED.includes(name as SettingName) && !production
  if (text.length < SECRET_LENGTH_MIN && !anyLength)
    return [`${name} is too short: at least ${SECRET_LENGTH_MIN} characters`]
  if (production && isGuessable(text)) {
    return [
      `${name} can be guessed: it repeats itself, or is made of common words. Make one with: openssl rand -base64 48`,
    ]
  }
  return []
}

function numberProblems(setting: Setting, text: string): string[] {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (fits(setting, value)) return []
  return [`${setting.name} is "${text}": it must be ${fittingNumbers(setting)}`]
}

function isAddress(text: string, protocols: readonly string[] = ['http:', 'https:']): boolean {
  return URL.canParse(text) && protocols.includes(new URL(text).protocol)
}

function hasCredentials(url: string): boolean {
  const { username, password } = new URL(url)
  return username + password !== ''
}

/** An address as it may be shown, also one that is none. */
function withoutCredentials(text: string): string {
  return text.replace(/^(\w+:\/\/)?.*@/s, '$1…@')
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

/** The parts of a setting that is a list. */
export function partsOf(list: string): string[] {
  return list
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
}
