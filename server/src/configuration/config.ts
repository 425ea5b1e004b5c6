import { isAbsolute, join } from 'node:path'
import type { RotatingSecret, Secret } from '../platform/secrets/secret.ts'
import { type FilesConfig, filesConfigOf } from './config-files.ts'
import { type IdentityConfig, identityConfigOf } from './config-identity.ts'
import {
  type LimitsConfig,
  limitsConfigOf,
  type RequestsUnderWayConfig,
  requestsUnderWayConfigOf,
} from './config-limits.ts'
import { type MetricsConfig, metricsConfigOf } from './config-metrics.ts'
import { originsOf } from './config-origins.ts'
import { forgottenEnvironment, problemsOf, sharedPort, unmetNeed } from './config-problems.ts'
import { type RealtimeConfig, realtimeConfigOf } from './config-realtime.ts'
import { type RetentionConfig, retentionConfigOf } from './config-retention.ts'
import { type TracesConfig, tracesConfigOf } from './config-traces.ts'
import { type Environment, type SettingReader, settingReader } from './setting-reader.ts'
import { settings } from './settings.ts'

export { settings } from './settings.ts'

/** Where the office is, and what it stands on. */
interface OfficeConfig {
  environment: 'development' | 'test' | 'production'
  /** Shown to visitors before they sign in. */
  officeName: string
  port: number
  host: string
  /** Without a slash at the end. */
  baseUrl: string
  frontendUrl: string
  /** Origins with browsers that may call: of the front end, of this server, and those allowed besides. */
  origins: readonly string[]
  trustProxy: readonly string[]
  /** Connections of clients that this node holds; 0: what the limit of open files allows. */
  connectionsMax: number
  /** Of one network; 0: half of all. */
  connectionsPerAddress: number
  logLevel: string
  /** How long a node that is told to stop still takes requests, for those before it to notice. */
  drainNoticeMs: number
  secretKeys: RotatingSecret
  dataDir: string
  databaseUrl: Secret | undefined
  databaseReplicaUrl: Secret | undefined
  databasePoolSize: number
  /** How long one request waits for the database before it is answered 503. */
  databaseWaitMs: number
}

/** The configuration of a running office: read once, frozen. */
export interface Config extends OfficeConfig, IdentityConfig, RealtimeConfig, FilesConfig {
  limits: LimitsConfig
  requestsUnderWay: RequestsUnderWayConfig
  retention: RetentionConfig
  smtpUrl: Secret | undefined
  mailFrom: string
  metrics: MetricsConfig
  /** Undefined: nothing is traced. */
  traces: TracesConfig | undefined
}

/** What is wrong with the environment: one line for each setting. */
export class ConfigurationProblem extends Error {
  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.name = 'ConfigurationProblem'
  }
}

/**
 * Reads the configuration from an environment.
 * @param root folder of the checkout; a relative DATA_DIR lies in it
 * @throws ConfigurationProblem naming every setting that is missing or wrong
 */
export function readConfig(environment: Environment, root: string): Config {
  const read = settingReader(environment)
  refuseProblems(environment, read)
  const office = officeConfigOf(read, root)
  return Object.freeze<Config>({
    ...office,
    ...identityConfigOf(read, office.environment),
    ...realtimeConfigOf(read, { ...office, searchPath: environment.PATH }),
    ...filesConfigOf(read, office),
    limits: limitsConfigOf(read),
    requestsUnderWay: requestsUnderWayConfigOf(read),
    retention: retentionConfigOf(read),
    smtpUrl: read.secret('SMTP_URL'),
    mailFrom: read.known('MAIL_FROM'),
    metrics: metricsConfigOf(read),
    traces: tracesConfigOf(read),
  })
}

const NO_DATABASE =
  'DATABASE_URL is missing: production runs on the embedded database only where EMBEDDED_DATABASE=true says so'

/** Its recorder runs elsewhere, and knows no folder of ours. */
const FILMS_ELSEWHERE =
  'STORAGE is filesystem, where the recorder of LIVEKIT_URL cannot write: a recording would be called complete, and its file not be found. Set STORAGE=s3, and the same bucket for the recorder (docs/recordings.md)'

function refuseProblems(environment: Environment, read: SettingReader): void {
  const { text } = read
  const production = text('ATRIUM_ENV') === 'production'
  const problems = settings.flatMap((setting) => [
    ...problemsOf(setting, environment[setting.name]?.trim(), production),
    ...unmetNeed(setting, text),
  ])
  if (production && text('DATABASE_URL') === undefined && text('EMBEDDED_DATABASE') !== 'true')
    problems.push(NO_DATABASE)
  if (production && text('LIVEKIT_URL') !== undefined && text('STORAGE') !== 's3')
    problems.push(FILMS_ELSEWHERE)
  problems.push(...sharedPort(text('METRICS_PORT'), read.known('PORT')))
  if (!environment.ATRIUM_ENV?.trim()) problems.push(...forgottenEnvironment(text))
  if (problems.length > 0) throw new ConfigurationProblem(problems)
}

function officeConfigOf(read: SettingReader, root: string): OfficeConfig {
  const environment = read.known('ATRIUM_ENV') as OfficeConfig['environment']
  const production = environment === 'production'
  const port = read.number('PORT')
  const baseUrl = read.address('BASE_URL') ?? `http://localhost:${port}`
  const frontendUrl = read.address('FRONTEND_URL') ?? baseUrl
  const dataDir = read.known('DATA_DIR')
  const others = read.list('ALLOWED_ORIGINS')
  return {
    environment,
    officeName: read.known('OFFICE_NAME'),
    port,
    host: oneAddress(read.text('HOST') ?? (production ? '0.0.0.0' : '127.0.0.1')),
    baseUrl,
    frontendUrl,
    origins: originsOf({ environment, baseUrl, frontendUrl, port, others }),
    trustProxy: Object.freeze(read.list('TRUST_PROXY')),
    connectionsMax: read.number('CONNECTIONS_MAX'),
    connectionsPerAddress: read.number('CONNECTIONS_PER_ADDRESS'),
    logLevel: read.text('LOG_LEVEL') ?? (production ? 'info' : 'warn'),
    drainNoticeMs: Number(read.text('DRAIN_NOTICE_SECONDS') ?? (production ? 5 : 0)) * 1_000,
    secretKeys: read.rootSecrets(),
    dataDir: isAbsolute(dataDir) ? dataDir : join(root, dataDir),
    databaseUrl: read.secret('DATABASE_URL'),
    databaseReplicaUrl: read.secret('DATABASE_REPLICA_URL'),
    databasePoolSize: read.number('DATABASE_POOL_SIZE'),
    databaseWaitMs: read.number('DATABASE_WAIT_MS'),
  }
}

/** For `localhost` Fastify opens a second server, on ::1, which knows nothing of the calls of machines. */
function oneAddress(host: string): string {
  return host.toLowerCase() === 'localhost' ? '127.0.0.1' : host
}
