import { smtpMail } from './adapters/smtp/smtp-mail.ts'
import { type Config, ConfigurationProblem, readConfig } from './config.ts'
import { type Finding, lookAtBroker } from './doctor-realtime.ts'
import { checkDatabase } from './office-database.ts'

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
  return [settings, await lookAtDatabase(config), await lookAtMail(config), ...(await lookAtBroker(config))]
}

async function lookAtDatabase(config: Config): Promise<Finding> {
  const part = 'database'
  if (!config.databaseUrl)
    return { part, ok: true, says: `embedded, in ${config.dataDir} (set DATABASE_URL to use another)` }
  try {
    return { part, ok: true, says: await checkDatabase(config.databaseUrl.reveal()) }
  } catch (error) {
    return { part, ok: false, says: (error as Error).message }
  }
}

async function lookAtMail(config: Config): Promise<Finding> {
  const part = 'mail'
  if (!config.smtpUrl)
    return { part, ok: true, says: 'sandbox inbox at /sandbox/mail (set SMTP_URL to send mails)' }
  const { host } = new URL(config.smtpUrl.reveal())
  const mail = smtpMail({ url: config.smtpUrl, from: config.mailFrom })
  try {
    await mail.check()
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
