import { type Generated, type GeneratedAlways, sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { type IdentityOrganizationId, type OrganizationId, type RowId, trusted } from '../../platform/ids.ts'
import type { OrganizationRef } from '../organizations.ts'
import { asciiDomain } from './domain-name.ts'
import { isShared } from './shared-domains.ts'

declare module '../../platform/database/database.ts' {
  interface Tables {
    organization_domains: {
      id: GeneratedAlways<string>
      organization_id: string
      domain: string
      state: DomainState
      challenge: string
      created_at: Date
      verified_at: Date | null
      proven_by_dns: Generated<boolean>
      looked_up_at: Date | null
    }
  }
}

export type DomainState = 'pending' | 'verified' | 'failed'

export interface DomainRecord {
  id: string
  domain: string
  state: DomainState
  challenge: string
  provenByDns: boolean
  /** When the DNS last answered, with a record or without. */
  lookedUpAt: Date | null
}

const COLUMNS = [
  'id',
  'domain',
  'state',
  'challenge',
  'proven_by_dns as provenByDns',
  'looked_up_at as lookedUpAt',
] as const

/** A domain in the form it is stored and compared in; undefined where it is not one that one organization can own. */
export function normalizeDomain(text: string): string | undefined {
  const domain = asciiDomain(text.trim())
  return domain !== undefined && !isShared(domain) ? domain : undefined
}

/** @param email normalized */
export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1)
}

export async function listDomains(db: Db, organization: OrganizationId): Promise<DomainRecord[]> {
  return await db
    .selectFrom('organization_domains')
    .select(COLUMNS)
    .where('organization_id', '=', organization)
    .orderBy('domain')
    .execute()
}

/** A domain of an organization, in any state; `lock`: no other transaction changes it until this one ends. */
export async function findDomain(
  db: Db,
  organization: OrganizationId,
  id: RowId,
  { lock }: { lock?: boolean } = {},
): Promise<DomainRecord | undefined> {
  return await db
    .selectFrom('organization_domains')
    .select(COLUMNS)
    .where('organization_id', '=', organization)
    .where('id', '=', id)
    .$if(lock === true, (query) => query.forUpdate())
    .executeTakeFirst()
}

/** The owner of a domain. */
export interface DomainOwner extends OrganizationRef {
  /** The DNS says so too, not only the operator: the people that the owner vouches for are who they say, everywhere. */
  provenByDns: boolean
}

/** The organization that a verified domain belongs to. */
export async function findOwnerOfDomain(db: Db, domain: string): Promise<DomainOwner | undefined> {
  const row = await db
    .selectFrom('organization_domains as d')
    .innerJoin('organizations as o', 'o.id', 'd.organization_id')
    .select(['o.id', 'o.identity_organization_id', 'd.proven_by_dns'])
    .where('d.domain', '=', domain)
    .where('d.state', '=', 'verified')
    .where('o.deleted_at', 'is', null)
    .executeTakeFirst()
  if (!row) return undefined
  return {
    id: trusted.organizationId(row.id),
    identityId: trusted.identityOrganizationId(row.identity_organization_id),
    provenByDns: row.proven_by_dns,
  }
}

/** A domain that is verified for an organization. */
export interface VerifiedDomain {
  domain: string
  organization: DomainOwner
  challenge: string
  lookedUpAt: Date | null
}

/** The verified domains of some organizations; not of deleted ones. */
export async function listDomainsOwnedBy(
  db: Db,
  organizations: readonly IdentityOrganizationId[],
): Promise<VerifiedDomain[]> {
  if (organizations.length === 0) return []
  const rows = await selectVerified(db)
    .where(sql<boolean>`o.identity_organization_id = any(${organizations}::text[])`)
    .orderBy('d.domain')
    .execute()
  return rows.map(toVerified)
}

/** Of the domains that the DNS proves, or of the others, those with a last look-up before a moment. */
export async function listDomainsToLookUp(
  db: Db,
  provenByDns: boolean,
  before: Date,
): Promise<VerifiedDomain[]> {
  // the expression is the one of the index
  const lookedUpAt = sql<Date>`coalesce(d.looked_up_at, '-infinity'::timestamptz)`
  const rows = await selectVerified(db)
    .where('d.proven_by_dns', '=', provenByDns)
    .where(lookedUpAt, '<=', before)
    .execute()
  return rows.map(toVerified)
}

function selectVerified(db: Db) {
  return db
    .selectFrom('organization_domains as d')
    .innerJoin('organizations as o', 'o.id', 'd.organization_id')
    .select([
      'd.domain',
      'd.challenge',
      'd.proven_by_dns',
      'd.looked_up_at',
      'o.id',
      'o.identity_organization_id',
    ])
    .where(sql<boolean>`d.state = 'verified'`)
    .where('o.deleted_at', 'is', null)
}

function toVerified(
  row: Awaited<ReturnType<ReturnType<typeof selectVerified>['execute']>>[number],
): VerifiedDomain {
  return {
    domain: row.domain,
    organization: {
      id: trusted.organizationId(row.id),
      identityId: trusted.identityOrganizationId(row.identity_organization_id),
      provenByDns: row.proven_by_dns,
    },
    challenge: row.challenge,
    lookedUpAt: row.looked_up_at,
  }
}

/** Claims a domain for an organization, or answers the claim there is. */
export async function claimDomain(
  db: Db,
  claim: { organization: OrganizationId; domain: string; challenge: string },
  now: Date,
): Promise<DomainRecord> {
  return await db
    .insertInto('organization_domains')
    .values({
      organization_id: claim.organization,
      domain: claim.domain,
      state: 'pending',
      challenge: claim.challenge,
      created_at: now,
      verified_at: null,
    })
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'domain']).doUpdateSet({
        // one that the identity provider has verified comes without
        challenge: sql<string>`coalesce(nullif(organization_domains.challenge, ''), excluded.challenge)`,
      }),
    )
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

/**
 * Records the outcome of a look at a claim. Call it with the members locked (`lockMembers`), where that found the
 * organization: a deleted one holds no domain. Fails where another organization has proven the domain before.
 */
export async function settleDomain(
  db: Db,
  claim: { organization: OrganizationId; domain: string; state: DomainState },
  now: Date,
): Promise<void> {
  if (claim.state === 'verified') await releaseFromDeleted(db, claim.domain)
  await db
    .updateTable('organization_domains')
    .set({
      state: claim.state,
      verified_at: claim.state === 'verified' ? now : null,
      ...(claim.state === 'verified' ? {} : { proven_by_dns: false }),
    })
    .where('organization_id', '=', claim.organization)
    .where('domain', '=', claim.domain)
    .execute()
}

/** Organizations that an earlier release has deleted, or one that still runs beside this one deletes, keep their domains. */
async function releaseFromDeleted(db: Db, domain: string): Promise<void> {
  await sql`
    update organization_domains d set state = 'pending', proven_by_dns = false, verified_at = null
    from organizations o
    where d.domain = ${domain} and d.state = 'verified' and o.id = d.organization_id and o.deleted_at is not null`.execute(
    db,
  )
}

/** Records what the DNS has answered. Of a claim that is not verified nothing is proven. */
export async function keepLookUp(
  db: Db,
  claim: { organization: OrganizationId; domain: string; proven: boolean },
  now: Date,
): Promise<void> {
  await db
    .updateTable('organization_domains')
    .set({ proven_by_dns: sql<boolean>`state = 'verified' and ${claim.proven}`, looked_up_at: now })
    .where('organization_id', '=', claim.organization)
    .where('domain', '=', claim.domain)
    .execute()
}

export async function removeDomain(db: Db, organization: OrganizationId, domain: string): Promise<boolean> {
  const removed = await db
    .deleteFrom('organization_domains')
    .where('organization_id', '=', organization)
    .where('domain', '=', domain)
    .returning('id')
    .execute()
  return removed.length === 1
}

/** An organization that wants the people of a domain to come in by its own single sign-on. */
export interface EnforcedSso {
  organization: DomainOwner
}

/** Who knows which organizations have single sign-on: the identity provider. */
export interface EnforcedSsoNeeds {
  db: Db
  identity: { hasSingleSignOn(organization: IdentityOrganizationId): Promise<boolean> }
}

/**
 * Whether the domain of an address belongs to an organization with single sign-on: then there is no other way in.
 * @param email normalized
 * @throws ProviderFailure
 */
export async function findEnforcedSso(
  needs: EnforcedSsoNeeds,
  email: string,
): Promise<EnforcedSso | undefined> {
  return await findEnforcedSsoOfDomain(needs, domainOf(email))
}

/** The same of a domain. */
export async function findEnforcedSsoOfDomain(
  needs: EnforcedSsoNeeds,
  domain: string,
): Promise<EnforcedSso | undefined> {
  const organization = await findOwnerOfDomain(needs.db, domain)
  if (!organization || !(await needs.identity.hasSingleSignOn(organization.identityId))) return undefined
  return { organization }
}
