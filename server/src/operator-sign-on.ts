import { resolveTxt } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import {
  listConnections,
  removeConnection,
  saveConnection,
} from './adapters/local-identity/connection-store.ts'
import { connectionRingOf } from './compose-identity.ts'
import type { Config } from './config.ts'
import { claimDomain, listDomains, normalizeDomain, removeDomain, settleDomain } from './directory/domains.ts'
import { findOrganization, type OrganizationRef } from './directory/organizations.ts'
import { returnPathOf } from './features/sign-in/start-elsewhere.ts'
import { type OperatorContext, withDatabase } from './operator-commands.ts'
import type { Db } from './platform/database/database.ts'
import { isUniqueViolation } from './platform/database/database-errors.ts'
import { parseIdentityOrganizationId } from './platform/ids.ts'
import { newToken } from './platform/secret.ts'

/** Where an organization publishes that a domain is theirs. */
const RECORD_NAME = '_atrium'
const RECORD_PREFIX = 'atrium-domain-verification='

/** Adds `atrium domain …`: which domains are whose. */
export function addDomainCommands(program: Command, context: OperatorContext): void {
  const domains = program.command('domain').description('domains of organizations')
  domains
    .command('add <organization> <domain>')
    .description('claim a domain (org_…); prints the DNS record that proves it')
    .action(async (organizationId: string, text: string) => {
      const domain = requireDomain(text)
      const claim = await withDatabase(context, async (db) => {
        const organization = await requireOrganization(db, organizationId)
        const challenge = newToken('dns')
        return await claimDomain(db, { organization: organization.id, domain, challenge }, new Date())
      })
      context.print(`${RECORD_NAME}.${domain}  TXT  "${RECORD_PREFIX}${claim.challenge}"  (${claim.state})`)
      context.end()
    })
  domains
    .command('verify <organization> <domain>')
    .description('look for the DNS record and mark the domain as verified')
    .option('--without-dns', 'believe it: the operator knows whose the domain is')
    .action(async (organizationId: string, text: string, options: { withoutDns?: boolean }) => {
      const domain = requireDomain(text)
      await withDatabase(context, (db) => verify(db, organizationId, domain, options.withoutDns === true))
      context.print(`${domain} is verified`)
      context.end()
    })
  domains
    .command('list <organization>')
    .description('the domains of an organization')
    .action(async (organizationId: string) => {
      const found = await withDatabase(context, async (db) =>
        listDomains(db, (await requireOrganization(db, organizationId)).id),
      )
      for (const { domain, state } of found) context.print(`${domain}  ${state}`)
      context.end()
    })
  domains
    .command('remove <organization> <domain>')
    .description('give a domain up; its people sign in by code again')
    .action(async (organizationId: string, text: string) => {
      const removed = await withDatabase(context, async (db) =>
        removeDomain(db, (await requireOrganization(db, organizationId)).id, requireDomain(text)),
      )
      if (!removed) throw new Error(`${text} is no domain of ${organizationId}`)
      context.print(`${text} is removed`)
      context.end()
    })
}

interface ConnectionOptions {
  issuer: string
  clientId: string
  clientSecret?: string
  clientSecretFile?: string
  trustEmail?: boolean
}

/** Adds `atrium sso …`: the single sign-on of organizations. */
export function addSingleSignOnCommands(program: Command, context: OperatorContext): void {
  const sso = program.command('sso').description('single sign-on of organizations, by OpenID Connect')
  sso
    .command('add <organization>')
    .description(
      'connect an organization (org_…) to its issuer; its verified domains then sign in there only',
    )
    .requiredOption('--issuer <url>', 'the issuer: https://login.example.com/realms/acme')
    .requiredOption('--client-id <id>', 'our registration there')
    .option('--client-secret <secret>', 'its secret; others on this machine can see it while this runs')
    .option('--client-secret-file <path>', 'a file that holds the secret')
    .option('--trust-email', 'its addresses count as verified although it does not say so')
    .action(async (organizationId: string, options: ConnectionOptions) => {
      const clientSecret = await secretOf(options)
      const redirectAddress = await withDatabase(context, async (db, config) => {
        const issuer = requireIssuer(options.issuer, config)
        const { identityId } = await requireOrganization(db, organizationId)
        const { clientId, trustEmail } = options
        const connection = { organization: identityId, issuer, clientId, clientSecret }
        const trustsEmail = trustEmail === true
        const saved = { ...connection, trustsEmail }
        return redirectAddressOf(
          config,
          await saveConnection(db, connectionRingOf(config), saved, new Date()),
        )
      })
      context.print(`${organizationId} signs in at ${options.issuer}`)
      context.print(`Redirect address to register there: ${redirectAddress}`)
      context.end()
    })
  sso
    .command('list')
    .description('all connections')
    .action(async () => {
      const lines = await withDatabase(context, async (db, config) =>
        (await listConnections(db)).map((connection) => describeConnection(config, connection)),
      )
      for (const line of lines) context.print(line)
      context.end()
    })
  sso
    .command('remove <organization>')
    .description('take the connection away; its people sign in by code again')
    .action(async (organizationId: string) => {
      const removed = await withDatabase(context, async (db) =>
        removeConnection(db, (await requireOrganization(db, organizationId)).identityId),
      )
      if (!removed) throw new Error(`${organizationId} has no single sign-on`)
      context.print(`${organizationId} has no single sign-on any more`)
      context.end()
    })
}

function redirectAddressOf(config: Config, redirectName: string): string {
  return `${config.baseUrl}${returnPathOf('sso', redirectName)}`
}

function describeConnection(
  config: Config,
  connection: Awaited<ReturnType<typeof listConnections>>[number],
): string {
  const { organization, issuer, clientId, trustsEmail, redirectName, sharesAddress } = connection
  const remarks = [
    ...(trustsEmail ? ['(trusts e-mail)'] : []),
    ...(sharesAddress ? ['(old: registered with the shared address; run "atrium sso add" again)'] : []),
  ]
  return [organization, issuer, clientId, redirectAddressOf(config, redirectName), ...remarks].join('  ')
}

async function verify(db: Db, organizationId: string, domain: string, believed: boolean): Promise<void> {
  const organization = await requireOrganization(db, organizationId)
  const claim = (await listDomains(db, organization.id)).find((one) => one.domain === domain)
  if (!claim) throw new Error(`${domain} is not claimed: atrium domain add ${organizationId} ${domain}`)
  const proven = believed || (await hasRecord(domain, claim.challenge))
  const state = proven ? 'verified' : 'failed'
  try {
    await settleDomain(db, { organization: organization.id, domain, state }, new Date())
  } catch (error) {
    if (isUniqueViolation(error)) throw new Error(`${domain} is verified for another organization`)
    throw error
  }
  if (!proven)
    throw new Error(`There is no TXT record ${RECORD_NAME}.${domain} with ${RECORD_PREFIX}${claim.challenge}`)
}

async function hasRecord(domain: string, challenge: string): Promise<boolean> {
  const records = await resolveTxt(`${RECORD_NAME}.${domain}`).catch(() => [])
  return records.some((parts) => parts.join('') === `${RECORD_PREFIX}${challenge}`)
}

async function requireOrganization(db: Db, text: string): Promise<OrganizationRef> {
  const id = parseIdentityOrganizationId(text)
  const organization = id && (await findOrganization(db, id))
  if (!organization) throw new Error(`There is no organization ${text}`)
  return organization
}

function requireDomain(text: string): string {
  const domain = normalizeDomain(text)
  if (!domain) throw new Error(`${text} is no domain that one organization can own`)
  return domain
}

function requireIssuer(text: string, config: Config): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && config.environment !== 'production'))
    return text
  throw new Error(`--issuer must be an https address: ${text}`)
}

async function secretOf(options: ConnectionOptions): Promise<string> {
  const { clientSecret, clientSecretFile } = options
  const secret = clientSecretFile ? (await readFile(clientSecretFile, 'utf8')).trim() : clientSecret
  if (!secret) throw new Error('--client-secret-file or --client-secret is missing')
  return secret
}
