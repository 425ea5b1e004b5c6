import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import type { AuditTarget } from '../access/audit/audit-trail.ts'
import {
  listConnections,
  removeConnection,
  saveConnection,
} from '../adapters/local-identity/connection-store.ts'
import { connectionRingOf } from '../compose/from-configuration/identity-provider.ts'
import type { Config } from '../configuration/config.ts'
import { claimDomain, listDomains, normalizeDomain, removeDomain } from '../directory/domains/domains.ts'
import { lockMembers } from '../directory/members/members.ts'
import { entryOn, isVerifiedBy, settleClaim } from '../features/sign-in/domains/settle-claim.ts'
import { findProof, newChallenge, recordOf } from '../features/sign-in/federated/domain-proof.ts'
import { type Changed, enforceSingleSignOn } from '../features/sign-in/federated/enforce-single-sign-on.ts'
import { returnPathOf } from '../features/sign-in/federated/start-federated.ts'
import { isIssuerAddress } from '../features/sign-in/single-sign-on/rules.ts'
import { systemClock } from '../platform/clock.ts'
import type { Db } from '../platform/database/database.ts'
import { isUniqueViolation } from '../platform/database/database-errors.ts'
import type { Log } from '../platform/log.ts'
import { textResolver } from '../platform/outside/dns-text.ts'
import { ProviderFailure } from '../platform/refusal.ts'
import { identityOfCommand } from './command-identity.ts'
import {
  type OperatorContext,
  onBehalfOfOperator,
  requireOrganization,
  withConfiguredDatabase,
} from './operator-commands.ts'

/** Adds `atrium domain …`: the owners of domains. */
export function addDomainCommands(program: Command, context: OperatorContext): void {
  const domains = program.command('domain').description('domains of organizations')
  domains
    .command('add <organization> <domain>')
    .description('claim a domain (org_…); prints the DNS record that proves it')
    .action((organizationId: string, text: string) => claim(context, organizationId, text))
  domains
    .command('verify <organization> <domain>')
    .description('look for the DNS record and mark the domain as verified')
    .option(
      '--without-dns',
      'without looking: the operator knows who owns the domain; its single sign-on then reaches its own organization only',
    )
    .action((organizationId: string, text: string, options: { withoutDns?: boolean }) =>
      verifyAndEnforce(context, organizationId, text, options),
    )
  domains
    .command('list <organization>')
    .description('the domains of an organization')
    .action((organizationId: string) => printDomains(context, organizationId))
  domains
    .command('remove <organization> <domain>')
    .description('give a domain up; its people sign in by code again')
    .action((organizationId: string, text: string) => giveUp(context, organizationId, text))
}

async function claim(context: OperatorContext, organizationId: string, text: string): Promise<void> {
  const domain = requireDomain(text)
  const claim = await withConfiguredDatabase(context, async (db, config) => {
    const organization = await requireOrganization(db, organizationId)
    const challenge = newChallenge()
    return await onBehalfOfOperator({ db, log: context.logOf(config) }, organization, async (tx) => {
      const claimed = { organization: organization.id, domain, challenge }
      return {
        result: await claimDomain(tx, claimed, new Date()),
        entry: entryOn('domain.claimed', domain),
      }
    })
  })
  const { name, text: record } = recordOf(domain, claim.challenge)
  context.print(`${name}  TXT  "${record}"  (${claim.state})`)
  context.end()
}

async function verifyAndEnforce(
  context: OperatorContext,
  organizationId: string,
  text: string,
  options: { withoutDns?: boolean },
): Promise<void> {
  const domain = requireDomain(text)
  await withConfiguredDatabase(context, async (db, config) => {
    const needs = { db, log: context.logOf(config) }
    await verify(needs, organizationId, domain, options.withoutDns === true)
    await enforce(context, config, db, { domain })
  })
  context.print(`${domain} is verified`)
  context.end()
}

async function printDomains(context: OperatorContext, organizationId: string): Promise<void> {
  const found = await withConfiguredDatabase(context, async (db) =>
    listDomains(db, (await requireOrganization(db, organizationId)).id),
  )
  for (const { domain, state, provenByDns } of found) {
    const remark = state === 'verified' && !provenByDns ? '  (not proven by DNS)' : ''
    context.print(`${domain}  ${state}${remark}`)
  }
  context.end()
}

async function giveUp(context: OperatorContext, organizationId: string, text: string): Promise<void> {
  const removed = await withConfiguredDatabase(context, async (db, config) => {
    const organization = await requireOrganization(db, organizationId)
    const domain = requireDomain(text)
    const needs = { db, log: context.logOf(config) }
    const isRemoved = await onBehalfOfOperator(needs, organization, async (tx) => {
      const result = await removeDomain(tx, organization.id, domain)
      return { result, entry: result ? entryOn('domain.removed', domain) : undefined }
    })
    await enforce(context, config, db, { domain })
    return isRemoved
  })
  if (!removed) throw new Error(`${text} is no domain of ${organizationId}`)
  context.print(`${text} is removed`)
  context.end()
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
    .option('--trust-email', 'its e-mail addresses count as verified even where it does not say so')
    .action((organizationId: string, options: ConnectionOptions) => connect(context, organizationId, options))
  sso
    .command('list')
    .description('all connections')
    .action(() => printConnections(context))
  sso
    .command('remove <organization>')
    .description('take the connection away; its people sign in by code again')
    .action((organizationId: string) => disconnect(context, organizationId))
}

async function connect(
  context: OperatorContext,
  organizationId: string,
  options: ConnectionOptions,
): Promise<void> {
  const clientSecret = await secretOf(options)
  const redirectAddress = await withConfiguredDatabase(context, async (db, config) => {
    const issuer = requireIssuer(options.issuer, config)
    const organization = await requireOrganization(db, organizationId)
    const { clientId, trustEmail } = options
    const connection = { organization: organization.identityId, issuer, clientId, clientSecret }
    const trustsEmail = trustEmail === true
    const settings = { ...connection, trustsEmail }
    const needs = { db, log: context.logOf(config) }
    const redirectName = await onBehalfOfOperator(needs, organization, async (tx) => {
      return {
        result: await saveConnection(tx, connectionRingOf(config), settings, new Date()),
        entry: {
          action: 'single-sign-on.connected',
          target: { kind: 'organization', id: organization.identityId },
          detail: { issuer, clientId, trustsEmail: String(trustsEmail) },
        },
      }
    })
    await enforce(context, config, db, { organization: organization.id })
    return redirectAddressOf(config, redirectName)
  })
  context.print(`${organizationId} signs in at ${options.issuer}`)
  context.print(`Redirect address to register there: ${redirectAddress}`)
  context.end()
}

async function printConnections(context: OperatorContext): Promise<void> {
  const lines = await withConfiguredDatabase(context, async (db, config) =>
    (await listConnections(db)).map((connection) => describeConnection(config, connection)),
  )
  for (const line of lines) context.print(line)
  context.end()
}

async function disconnect(context: OperatorContext, organizationId: string): Promise<void> {
  const removed = await withConfiguredDatabase(context, async (db, config) => {
    const organization = await requireOrganization(db, organizationId)
    const needs = { db, log: context.logOf(config) }
    const isRemoved = await onBehalfOfOperator(needs, organization, async (tx) => {
      const result = await removeConnection(tx, organization.identityId)
      if (!result) return { result }
      const target: AuditTarget = { kind: 'organization', id: organization.identityId }
      return { result, entry: { action: 'single-sign-on.removed', target } }
    })
    await enforce(context, config, db, { organization: organization.id })
    return isRemoved
  })
  if (!removed) throw new Error(`${organizationId} has no single sign-on`)
  context.print(`${organizationId} has no single sign-on any more`)
  context.end()
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

async function verify(
  needs: { db: Db; log: Pick<Log, 'info'> },
  organizationId: string,
  domain: string,
  believed: boolean,
): Promise<void> {
  const organization = await requireOrganization(needs.db, organizationId)
  const claim = (await listDomains(needs.db, organization.id)).find((one) => one.domain === domain)
  if (!claim) throw new Error(`${domain} is not claimed: atrium domain add ${organizationId} ${domain}`)
  const proof = believed ? 'unknown' : await findProof(textResolver(), domain, claim.challenge)
  const found = { proof, believed }
  if (proof === 'unknown' && !isVerifiedBy(found, claim))
    throw new Error(`The DNS does not answer for ${domain}: try again later`)
  try {
    await onBehalfOfOperator(needs, organization, async (tx) => {
      if (!(await lockMembers(tx, organization.id)))
        throw new Error(`${organizationId} was deleted meanwhile: nothing is verified`)
      return {
        result: undefined,
        entry: await settleClaim(tx, organization.id, claim, found, new Date()),
      }
    })
  } catch (error) {
    if (isUniqueViolation(error)) throw new Error(`${domain} is verified for another organization`)
    throw error
  }
  if (proof === 'found' || believed) return
  const { name, text } = recordOf(domain, claim.challenge)
  throw new Error(`There is no TXT record ${name} with ${text}`)
}

/** Ends the sessions that the change just made forbids. */
async function enforce(context: OperatorContext, config: Config, db: Db, changed: Changed): Promise<void> {
  const log = context.logOf(config)
  const clock = systemClock
  const identity = identityOfCommand({ config, db, log })
  try {
    // nodes that are running hear of it from the database
    const callers = { forget: () => undefined }
    const people = await enforceSingleSignOn({ db, clock, log, callers, identity }, changed)
    if (people > 0) context.print(`Signed out: ${people}`)
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    context.print('The identity provider does not answer: sessions that may not be any more end when it does')
  }
}

function requireDomain(text: string): string {
  const domain = normalizeDomain(text)
  if (!domain) throw new Error(`${text} is no domain that one organization can own`)
  return domain
}

function requireIssuer(text: string, config: Config): string {
  if (isIssuerAddress(text, { httpsOnly: config.environment === 'production' })) return text
  throw new Error(`--issuer must be an https address: ${text}`)
}

async function secretOf(options: ConnectionOptions): Promise<string> {
  const { clientSecret, clientSecretFile } = options
  const secret = clientSecretFile ? (await readFile(clientSecretFile, 'utf8')).trim() : clientSecret
  if (!secret) throw new Error('--client-secret-file or --client-secret is missing')
  return secret
}
