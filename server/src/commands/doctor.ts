import { httpImageCheck } from '../adapters/image-check/http-image-check.ts'
import { livekitMedia } from '../adapters/livekit/livekit-media.ts'
import { smtpMail } from '../adapters/smtp/smtp-mail.ts'
import { type Config, ConfigurationProblem, readConfig } from '../configuration/config.ts'
import { lookAtDatabase } from './doctor-database.ts'
import { lookAtKeys } from './doctor-keys.ts'
import { lookAtConnections, lookAtProxy, lookAtUnknown } from './doctor-process.ts'
import { type Finding, lookAtBroker } from './doctor-realtime.ts'
import { lookAtSchema } from './doctor-schema.ts'
import { lookAtWork } from './doctor-work.ts'

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
    ...lookAtProxy(config),
    lookAtConnections(config),
    ...(await lookAtDatabase(config)),
    ...(await lookAtSchema(config)),
    ...(await lookAtKeys(config)),
    ...(await lookAtWork(config)),
    await lookAtMail(config),
    await lookAtStorage(config),
    await lookAtImageCheck(config),
    ...(await lookAtBroker(config)),
    await lookAtMedia(config),
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

async function lookAtStorage({ s3, dataDir }: Config): Promise<Finding> {
  const part = 'storage'
  if (!s3) return { part, ok: true, says: `files in ${dataDir}/storage (set STORAGE=s3 to use a store)` }
  const { s3Storage } = await import('../adapters/s3/s3-storage.ts')
  const storage = s3Storage(s3)
  try {
    await storage.check()
    return { part, ok: true, says: `the bucket ${s3.bucket} at ${s3.endpoint} lets us in` }
  } catch (error) {
    const says = `the bucket ${s3.bucket} at ${s3.endpoint} cannot be used: ${reasonOf(error)}. Check S3_ENDPOINT, S3_BUCKET, S3_REGION and the keys.`
    return { part, ok: false, says }
  } finally {
    storage.close()
  }
}

async function lookAtImageCheck({ imageCheckUrl: url }: Config): Promise<Finding> {
  const part = 'image check'
  if (!url) return { part, ok: true, says: 'runs beside the server (set IMAGE_CHECK_URL to use another)' }
  try {
    await httpImageCheck({ url: async () => url }).ready()
    return { part, ok: true, says: `${url} answers` }
  } catch (error) {
    return { part, ok: false, says: `${url} does not answer: ${reasonOf(error)}. Check IMAGE_CHECK_URL.` }
  }
}

async function lookAtMedia({ media }: Config): Promise<Finding> {
  const part = 'media server'
  if (!media)
    return { part, ok: true, says: 'none: rooms, guests and recordings answer 503 (set LIVEKIT_URL)' }
  if (media.sandbox)
    return { part, ok: true, says: 'a stand-in of the sandbox (set LIVEKIT_URL to use LiveKit)' }
  const { host } = new URL(media.url)
  try {
    await livekitMedia({ ...media, url: () => media.url }).check()
    return { part, ok: true, says: `${host} accepts our key` }
  } catch (error) {
    const says = `${host} does not accept us: ${reasonOf(error)}. Check LIVEKIT_URL, and LIVEKIT_API_KEY and LIVEKIT_API_SECRET against its keys.`
    return { part, ok: false, says }
  }
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  return cause instanceof Error ? cause.message || cause.name : String(cause)
}
