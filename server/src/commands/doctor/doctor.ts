import { httpImageCheck } from '../../adapters/image-check/http-image-check.ts'
import { ownImageCheck } from '../../adapters/image-check/own-image-check.ts'
import { livekitMedia } from '../../adapters/livekit/livekit-media.ts'
import { smtpMail } from '../../adapters/smtp/smtp-mail.ts'
import { type Config, ConfigurationProblem, readConfig } from '../../configuration/config.ts'
import { ProviderFailure } from '../../platform/refusal.ts'
import { Secret } from '../../platform/secrets/secret.ts'
import { lookAtClock } from './clock.ts'
import { lookAtDatabase } from './database.ts'
import { lookAtFileCheckAndTranscriber } from './file-check-and-transcriber.ts'
import { lookAtKeys } from './keys.ts'
import { lookAtOffice } from './office.ts'
import { openOwnDatabase } from './own-database.ts'
import { lookAtAddresses, lookAtConnections, lookAtPairs, lookAtProxy, lookAtUnknown } from './process.ts'
import { type Finding, lookAtBroker } from './realtime.ts'
import { reasonOf } from './reason.ts'
import { lookAtRunningNode } from './running.ts'
import { lookAtSchema } from './schema.ts'
import { lookAtStorage } from './storage.ts'
import { lookAtCollector } from './traces.ts'
import { lookAtIssuers, lookAtWorkos } from './vendors.ts'
import { lookAtWork } from './work.ts'

/** No request waits for a check meanwhile: a busy machine is not one on which it does not start. */
const UP_WITHIN_MS = 120_000

/** Looks at every configured outside part, each by itself: one that is wrong does not hide the next. */
export async function doctor(
  environment: Record<string, string | undefined>,
  root: string,
): Promise<Finding[]> {
  let config: Config
  try {
    config = readConfig(environment, root)
  } catch (error) {
    if (!(error instanceof ConfigurationProblem)) throw error
    return error.message.split('\n').map((says) => ({ part: 'configuration', ok: false, says }))
  }
  const settings: Finding = { part: 'configuration', ok: true, says: `complete for ${config.environment}` }
  return [
    settings,
    ...lookAtUnknown(environment),
    ...lookAtPairs(environment),
    ...lookAtProxy(config),
    ...lookAtAddresses(config),
    lookAtConnections(config),
    ...(await lookAtDatabaseAndParts(config)),
  ]
}

/** What only the database knows of is asked of an embedded one too, whether its office is open or not. */
async function lookAtDatabaseAndParts(config: Config): Promise<Finding[]> {
  const found = await lookAtDatabase(config)
  if (config.databaseUrl || found.some(({ ok }) => !ok))
    return [...found, ...(await lookAtParts(config, config))]
  let own: Awaited<ReturnType<typeof openOwnDatabase>>
  try {
    own = await openOwnDatabase(config)
  } catch (error) {
    const fault = { part: 'database', ok: false, says: (error as Error).message }
    return [fault, ...(await lookAtParts(config, config))]
  }
  try {
    const withDatabase = own ? { ...config, databaseUrl: new Secret(own.connectionString) } : config
    return [...found, ...(await lookAtParts(config, withDatabase))]
  } finally {
    await own?.close()
  }
}

/** @param withDatabase the settings with the address of the database, where it is embedded too */
async function lookAtParts(config: Config, withDatabase: Config): Promise<Finding[]> {
  return [
    ...(await lookAtSchema(withDatabase)),
    ...(await lookAtKeys(withDatabase)),
    ...(await lookAtWork(withDatabase)),
    ...(await lookAtClock(config)),
    ...(await lookAtOffice(config)),
    ...(await lookAtRunningNode(config)),
    ...(await lookAtWorkos(config)),
    ...(await lookAtIssuers(withDatabase)),
    await lookAtMail(config),
    ...(await lookAtStorage(withDatabase)),
    await lookAtImageCheck(config),
    ...(await lookAtFileCheckAndTranscriber(config)),
    ...(await lookAtBroker(config)),
    await lookAtMedia(config),
    ...(await lookAtCollector(config)),
  ]
}

async function lookAtMail(config: Config): Promise<Finding> {
  const part = 'mail'
  if (!config.smtpUrl)
    return { part, ok: true, says: 'sandbox inbox at /sandbox/mail (set SMTP_URL to send mails)' }
  const { host } = new URL(config.smtpUrl.reveal())
  const mail = smtpMail({ url: config.smtpUrl, from: config.mailFrom })
  try {
    await mail.check()
    if (config.environment === 'production' && /@localhost>?$/.test(config.mailFrom)) {
      const says = `${host} accepts us, but others refuse mails from ${config.mailFrom}. Set MAIL_FROM to an address of yours.`
      return { part, ok: true, warns: true, says }
    }
    return { part, ok: true, says: `${host} accepts us` }
  } catch (error) {
    const reason =
      error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)
    return {
      part,
      ok: false,
      says: `${host} does not take mails: ${reason}. Check host, port, user and password in SMTP_URL.`,
    }
  }
}

/** Our own is started as a node starts it, and ended again: what it says where it cannot is printed as it comes. */
export async function lookAtImageCheck(
  { imageCheckUrl: url }: Pick<Config, 'imageCheckUrl'>,
  entry?: string,
): Promise<Finding> {
  const part = 'image check'
  if (!url) return await lookAtOwnImageCheck(entry)
  try {
    await httpImageCheck({ url: async () => url }).ready()
    return { part, ok: true, says: `${url} answers` }
  } catch (error) {
    return { part, ok: false, says: `${url} does not answer: ${reasonOf(error)}. Check IMAGE_CHECK_URL.` }
  }
}

async function lookAtOwnImageCheck(entry?: string): Promise<Finding> {
  const part = 'image check'
  const ended = Promise.withResolvers<'ended'>()
  const log = { warn: () => ended.resolve('ended') }
  const check = ownImageCheck({ ...(entry ? { entry } : {}), log })
  check.start()
  try {
    const outcome = await Promise.race([check.up(UP_WITHIN_MS).then(() => 'up' as const), ended.promise])
    if (outcome === 'up')
      return { part, ok: true, says: 'starts beside the server (set IMAGE_CHECK_URL to use another)' }
    const says =
      'it does not start: uploads of images would all be refused. Its own words are above. Where they name sharp, install with optional dependencies (npm ci without --omit=optional).'
    return { part, ok: false, says }
  } catch (error) {
    return { part, ok: false, says: `it does not start: ${reasonOf(error)}.` }
  } finally {
    await check.stop()
  }
}

async function lookAtMedia({ media, s3 }: Config): Promise<Finding> {
  const part = 'media server'
  if (!media)
    return { part, ok: true, says: 'none: rooms, guests and recordings answer 503 (set LIVEKIT_URL)' }
  if (media.sandbox)
    return { part, ok: true, says: 'embedded, for a few people (set LIVEKIT_URL to use LiveKit)' }
  const { origin } = new URL(media.url)
  try {
    await livekitMedia({ ...media, url: () => media.url }).check()
    const films = s3
      ? ''
      : '. Its recordings cannot be downloaded here: set STORAGE=s3, and the same bucket for its recorder'
    return { part, ok: true, says: `${origin} accepts our key${films}` }
  } catch (error) {
    const isRefused = error instanceof ProviderFailure && !error.retryable
    const says = isRefused
      ? `${origin} refuses our key: ${reasonOf(error)}. Check LIVEKIT_API_KEY and LIVEKIT_API_SECRET against its keys, and both clocks.`
      : `${origin} cannot be used: ${reasonOf(error)}. Check LIVEKIT_URL, and what this machine may reach.`
    return { part, ok: false, says }
  }
}
