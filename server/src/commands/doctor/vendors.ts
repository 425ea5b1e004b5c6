import { listConnections } from '../../adapters/local-identity/connection-store.ts'
import { workosClient } from '../../adapters/workos/workos-client.ts'
import { vendorFetch } from '../../compose/from-configuration/identity-provider.ts'
import type { Config } from '../../configuration/config.ts'
import { knownIssuers } from '../../platform/outside/known-issuers.ts'
import { askDatabase } from './asked-database.ts'
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
  /** Who is named, and how to mend it. */
  whose: string
  mend: string
  issuer: string
}

/** Whether the issuers that people sign in at describe themselves: those of the settings, and those of organizations. */
export async function lookAtIssuers(config: Config): Promise<Finding[]> {
  const part = 'issuer'
  const configurationOf = knownIssuers({
    fetch: vendorFetch(config),
    allowsHttp: config.environment !== 'production',
  })
  return await Promise.all(
    (await issuersOf(config)).map(async ({ whose, mend, issuer }): Promise<Finding> => {
      try {
        // of discovery alone: no secret is sent
        await configurationOf({ issuer, clientId: 'atrium-doctor', clientSecret: 'none' })
        return { part, ok: true, says: `${issuer}, ${whose}, describes itself` }
      } catch (error) {
        const says = `${issuer}, ${whose}, cannot be used: ${reasonOf(error)}. ${mend}`
        return { part, ok: false, says }
      }
    }),
  )
}

async function issuersOf(config: Config): Promise<Issuer[]> {
  const ours = (['google', 'microsoft'] as const).flatMap((vendor) => {
    const registration = config[vendor]
    const setting = `${vendor.toUpperCase()}_ISSUER_URL`
    return registration
      ? [{ whose: `of ${setting}`, mend: `Check ${setting}.`, issuer: registration.issuer }]
      : []
  })
  if (config.workos) return ours
  const connections = (await askDatabase(config.databaseUrl, listConnections)) ?? []
  // the stand-in answers while the office is open, and need not before
  const isStandIn = (issuer: string) =>
    config.environment !== 'production' && new URL(issuer).pathname.startsWith('/sandbox/')
  const others = connections.filter(({ issuer }) => !isStandIn(issuer))
  const theirs = others.map(({ organization, issuer }) => ({
    whose: `the single sign-on of ${organization}`,
    mend: `Nobody of that organization can sign in until it answers, or: npx atrium sso add ${organization} …`,
    issuer,
  }))
  return [...ours, ...theirs]
}
