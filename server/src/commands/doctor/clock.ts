import type { Config } from '../../configuration/config.ts'
import { serverTime } from '../../platform/database/server-facts.ts'
import { askDatabase } from './asked-database.ts'
import type { Finding } from './realtime.ts'

/** Tokens that are good for a minute, and sign-ins at issuers, stand no more. */
const AWAY_SECONDS = 5
const ANSWER_WITHIN_MS = 3_000

interface Difference {
  source: string
  /** Ours less theirs, in seconds. */
  seconds: number
}

/** Whether this machine has the time that others have: tokens and signatures of all kinds count on it. */
export async function lookAtClock(config: Config, now: () => number = Date.now): Promise<Finding[]> {
  const part = 'clock'
  const differences = await Promise.all([
    ofDatabase(config, now),
    ...addressesOf(config).map(([source, url]) => ofServer(source, url, now)),
  ])
  const known = differences.filter((one) => one !== undefined)
  if (known.length === 0) return []
  const away = known.filter(({ seconds }) => Math.abs(seconds) > AWAY_SECONDS)
  if (away.length === 0) {
    const says = `as that of ${known.map(({ source }) => source).join(', ')}`
    return [{ part, ok: true, says }]
  }
  const distances = away.map(
    ({ source, seconds }) =>
      `${Math.abs(Math.round(seconds))} s ${seconds > 0 ? 'ahead of' : 'behind'} that of ${source}`,
  )
  const says = `the clock of this machine is ${distances.join(', ')}: tokens and signatures are refused, or last too long. Let NTP set it.`
  return [{ part, ok: false, says }]
}

async function ofDatabase({ databaseUrl }: Config, now: () => number): Promise<Difference | undefined> {
  return await askDatabase(databaseUrl, async (db) => {
    // once before, so that the connection is there: what is measured is one round trip
    await serverTime(db)
    const before = now()
    const theirs = (await serverTime(db)).getTime()
    return { source: 'the database', seconds: ((before + now()) / 2 - theirs) / 1_000 }
  })
}

function addressesOf({ workos, google, microsoft, s3, media }: Config): [source: string, url: string][] {
  const addresses: [string, string | undefined][] = [
    ['WorkOS', workos?.apiUrl],
    ['GOOGLE_ISSUER_URL', google?.issuer],
    ['MICROSOFT_ISSUER_URL', microsoft?.issuer],
    ['S3_ENDPOINT', s3?.endpoint],
    ['LIVEKIT_URL', media && !media.sandbox ? media.url.replace(/^ws/, 'http') : undefined],
  ]
  return addresses.filter((one): one is [string, string] => one[1] !== undefined)
}

/** By the `Date` of any answer: whole seconds. */
async function ofServer(source: string, url: string, now: () => number): Promise<Difference | undefined> {
  try {
    const before = now()
    const response = await fetch(url, {
      method: 'HEAD',
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    })
    const theirs = Date.parse(response.headers.get('date') ?? '')
    if (Number.isNaN(theirs)) return undefined
    return { source, seconds: ((before + now()) / 2 - theirs) / 1_000 }
  } catch {
    return undefined
  }
}
