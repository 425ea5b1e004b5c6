import { listConnections } from '../../adapters/local-identity/connection-store.ts'
import { workosClient } from '../../adapters/workos/workos-client.ts'
import { vendorFetch } from '../../compose/from-configuration/identity-provider.ts'
import type { Config } from '../../configuration/config.ts'
import { knownIssuers } from '../../platform/outside/known-issuers.ts'
import { askDatabase } from './asked-database.ts'
import { listed } from './listed.ts'
import type { Finding } from './realtime.ts'
import { reasonOf } from './reason.ts'

/** Whether WorkOS takes our key, where it knows the people. */
export async function lookAtWorkos({ workos }: Config): Promise<Finding[]> {
  if (!workos) return []
  const part = 'identity provider'
  const { apiKey, clientId, apiUrl } = workos
  try {
    await workosClient({ apiKey: apiKey.reveal(), clientId, apiUrl }).userManagement.listUsers({ limit: 1 })
    return [{ part, ok: true, says: `WorkOS at ${apiUrl} accepts our key` }]
  } catch (error) {
    const { status } = error as { status?: number }
    if (status === 401 || status === 403) {
      const says = `WorkOS at ${apiUrl} refuses our key (${status}). Check WORKOS_API_KEY: nobody can sign in.`
      return [{ part, ok: false, says }]
    }
    const reason = status === undefined ? 'it does not answer' : `it answers ${status}`
    const says = `WorkOS at ${apiUrl} cannot be used: ${reason}. Check WORKOS_API_URL, and what this machine may reach: nobody can sign in.`
    return [{ part, ok: false, says }]
  }
}

interface Issuer {
  issuer: string
  /** The setting, or the organization, that names it. */
  namedBy: string
}

const PART = 'issuer'
/** At once: each waits for the network, and a thousand at a time would be refused by our own machine. */
const ASKED_AT_ONCE = 50

/**
 * Whether the issuers that people sign in at describe themselves. Those of the settings are ours to mend, and one
 * finding each; those of organizations are theirs: one finding for all, which fails nothing.
 */
export async function lookAtIssuers(config: Config): Promise<Finding[]> {
  const reasonAgainst = issuerCheck(config)
  const ours = await Promise.all(
    issuersOfSettings(config).map(async ({ issuer, namedBy }): Promise<Finding> => {
      const reason = await reasonAgainst(issuer)
      if (reason === undefined)
        return { part: PART, ok: true, says: `${issuer}, of ${namedBy}, describes itself` }
      const says = `${issuer}, of ${namedBy}, cannot be used: ${reason}. Check ${namedBy}.`
      return { part: PART, ok: false, says }
    }),
  )
  return [...ours, ...(await lookAtOrganizations(await issuersOfOrganizations(config), reasonAgainst))]
}

/** @returns why an issuer cannot be used; undefined where it can */
function issuerCheck(config: Config): (issuer: string) => Promise<string | undefined> {
  const configurationOf = knownIssuers({
    fetch: vendorFetch(config),
    allowsHttp: config.environment !== 'production',
  })
  return async (issuer) => {
    try {
      // of discovery alone: no secret is sent
      await configurationOf({ issuer, clientId: 'atrium-doctor', clientSecret: 'none' })
      return undefined
    } catch (error) {
      return reasonOf(error)
    }
  }
}

async function lookAtOrganizations(
  issuers: readonly Issuer[],
  reasonAgainst: (issuer: string) => Promise<string | undefined>,
): Promise<Finding[]> {
  const faults: string[] = []
  for (let from = 0; from < issuers.length; from += ASKED_AT_ONCE)
    await Promise.all(
      issuers.slice(from, from + ASKED_AT_ONCE).map(async ({ issuer, namedBy }) => {
        const reason = await reasonAgainst(issuer)
        if (reason !== undefined) faults.push(`${issuer} of ${namedBy} (${reason})`)
      }),
    )
  if (issuers.length === 0) return []
  if (faults.length === 0)
    return [{ part: PART, ok: true, says: `all ${issuers.length} of organizations describe themselves` }]
  const cause =
    faults.length > 1 && faults.length === issuers.length
      ? ' All of them: see what this machine may reach.'
      : ''
  const says = `${faults.length} of ${issuers.length} of organizations cannot be used: ${listed(faults)}.${cause} Nobody of those organizations can sign in until theirs answers, or: npx atrium sso add <organization> …`
  return [{ part: PART, ok: true, warns: true, says }]
}

function issuersOfSettings(config: Config): Issuer[] {
  return (['google', 'microsoft'] as const).flatMap((vendor) => {
    const registration = config[vendor]
    const namedBy = `${vendor.toUpperCase()}_ISSUER_URL`
    return registration ? [{ namedBy, issuer: registration.issuer }] : []
  })
}

async function issuersOfOrganizations(config: Config): Promise<Issuer[]> {
  if (config.workos) return []
  const connections = (await askDatabase(config.databaseUrl, listConnections)) ?? []
  // the stand-in answers while the office is open, and need not before
  const isStandIn = (issuer: string) =>
    config.environment !== 'production' && new URL(issuer).pathname.startsWith('/sandbox/')
  return connections
    .filter(({ issuer }) => !isStandIn(issuer))
    .map(({ organization, issuer }) => ({ issuer, namedBy: organization }))
}
