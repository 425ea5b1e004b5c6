import type { KnownCallers } from '../access/known-callers.ts'
import { saveConnection } from '../adapters/local-identity/connection-store.ts'
import { localIdentity } from '../adapters/local-identity/local-identity.ts'
import type { OidcRegistration } from '../adapters/local-identity/oidc.ts'
import { type BackgroundSender, backgroundSender } from '../adapters/workos/background-sender.ts'
import { workosNews } from '../adapters/workos/news.ts'
import { workosClient } from '../adapters/workos/workos-client.ts'
import { workosIdentity } from '../adapters/workos/workos-identity.ts'
import type { Config, ProviderRegistration } from '../configuration/config.ts'
import { claimDomain, keepLookUp, settleDomain } from '../directory/domains.ts'
import { ensureOrganization } from '../directory/organizations.ts'
import { compareIdentity } from '../features/identity-sync/compare-identity.ts'
import { followIdentity } from '../features/identity-sync/follow-identity.ts'
import { reconcileIdentity } from '../features/identity-sync/jobs.ts'
import { sweepFoundings } from '../features/organizations/sweep-foundings.ts'
import { developmentOrganization } from '../features/sign-in/dev-sign-in.ts'
import { lookUpDomains } from '../features/sign-in/federated/domain-proof.ts'
import { enforceSingleSignOn } from '../features/sign-in/federated/enforce-single-sign-on.ts'
import type { Job } from '../platform/background/jobs.ts'
import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/database/database.ts'
import type { Log } from '../platform/log.ts'
import { textResolver } from '../platform/outside/dns-text.ts'
import type { Fetch } from '../platform/outside/outside-fetch.ts'
import { publicFetch } from '../platform/outside/public-fetch.ts'
import { type KeyRing, makeKeyRing } from '../platform/secrets/sealed-column.ts'
import { deriveKey } from '../platform/secrets/secret.ts'
import type { IdentityPort } from '../ports/identity.ts'
import type { IdentityNewsPort } from '../ports/identity-news.ts'

const RECONCILE_EVERY_MS = 2_000
const FOLLOW_EVERY_MS = 10_000
const SWEEP_EVERY_MS = 60_000
/** What an operator changes holds at once: this is for what was under way meanwhile, and for changes elsewhere. */
const ENFORCE_EVERY_MS = 5 * 60_000
/** How often it is looked whether a domain is due. */
const LOOK_UP_EVERY_MS = 10 * 60_000
/** How often it is looked whether it is time to. */
const COMPARE_EVERY_MS = 5 * 60_000

/** The stand-ins for social providers and for a customer's single sign-on: development and tests only. */
export interface StandInIssuers {
  registrations: { 'provider-a': OidcRegistration; 'provider-b': OidcRegistration; sso: OidcRegistration }
  fetch: Fetch
}

export interface IdentityGround {
  config: Config
  db: Db
  clock: Clock
  log: Log
  mailRing: KeyRing
  standIns: StandInIssuers | undefined
}

/** What the identity provider is still asked for after an answer has gone out. */
export type IdentityWork = Pick<BackgroundSender, 'settle' | 'stop'>

const NO_WORK: IdentityWork = { settle: async () => {}, stop: async () => {} }

/** Who knows the people, as the configuration says. */
export function openIdentity(ground: IdentityGround): { identity: IdentityPort; work: IdentityWork } {
  const { config, db, clock, log, mailRing } = ground
  if (!config.workos) return { identity: ownIdentity(ground), work: NO_WORK }
  const { apiKey, clientId, apiUrl } = config.workos
  const { frontendUrl } = config
  const workos = workosClient({ apiKey: apiKey.reveal(), clientId, apiUrl })
  const sender = backgroundSender(log)
  return {
    identity: workosIdentity({ workos, clientId, db, clock, mailRing, frontendUrl, sender }),
    work: sender,
  }
}

function ownIdentity({ config, db, clock, log, mailRing, standIns }: IdentityGround): IdentityPort {
  const a = revealed(config.google) ?? standIns?.registrations['provider-a']
  const b = revealed(config.microsoft) ?? standIns?.registrations['provider-b']
  return localIdentity({
    db,
    clock,
    log,
    mailRing,
    codeKey: deriveKey(config.secretKey, 'email-codes'),
    frontendUrl: config.frontendUrl,
    providers: { ...(a ? { 'provider-a': a } : {}), ...(b ? { 'provider-b': b } : {}) },
    connectionRing: connectionRingOf(config),
    fetch: standIns?.fetch ?? vendorFetch(config),
    allowsHttp: config.environment !== 'production',
  })
}

/** Reaches addresses that customers and vendors have chosen: issuers, and whatever these name. */
export function vendorFetch(config: Config): Fetch {
  if (!config.allowPrivateIssuers) return publicFetch()
  return (url, init) => fetch(url, { ...init, redirect: 'manual' })
}

/** Tells the provider what is changed here, and follows what is changed there, where that can be asked for. */
export function identityJobs(ground: {
  config: Config
  db: Db
  clock: Clock
  log: Log
  callers: KnownCallers
  identity: IdentityPort
}): Job[] {
  const { config, db, clock, log, callers, identity } = ground
  const news = openIdentityNews(config)
  const reconcile: Job = {
    name: 'reconcile-identity',
    everyMs: RECONCILE_EVERY_MS,
    run: (signal) => reconcileIdentity({ db, clock, log, identity }, signal),
  }
  const sweep: Job = {
    name: 'sweep-foundings',
    everyMs: SWEEP_EVERY_MS,
    run: (signal) => sweepFoundings({ db, clock, log, identity }, signal),
  }
  const lookUp: Job = {
    name: 'look-up-domains',
    everyMs: LOOK_UP_EVERY_MS,
    run: (signal) => lookUpDomains({ db, clock, log, resolveText: textResolver() }, signal),
  }
  const enforce: Job = {
    name: 'enforce-single-sign-on',
    everyMs: ENFORCE_EVERY_MS,
    run: async () => void (await enforceSingleSignOn({ db, clock, log, callers, identity })),
  }
  const always = [reconcile, sweep, lookUp, enforce]
  if (!news) return always
  const following = { db, clock, log, callers, news }
  const follow: Job = {
    name: 'follow-identity',
    everyMs: FOLLOW_EVERY_MS,
    run: (signal) => followIdentity(following, signal),
  }
  const compare: Job = {
    name: 'compare-identity',
    everyMs: COMPARE_EVERY_MS,
    run: (signal) => compareIdentity(following, signal),
  }
  return [...always, follow, compare]
}

/** What is done at the identity provider beside us, where there is one that lets people be administered. */
function openIdentityNews(config: Config): IdentityNewsPort | undefined {
  if (!config.workos) return undefined
  const { apiKey, clientId, apiUrl } = config.workos
  return workosNews(workosClient({ apiKey: apiKey.reveal(), clientId, apiUrl }))
}

function revealed(registration: ProviderRegistration | undefined): OidcRegistration | undefined {
  return registration && { ...registration, clientSecret: registration.clientSecret.reveal() }
}

/** Seals the client secrets of single sign-on. */
export function connectionRingOf(config: Config): KeyRing {
  const previous = config.previousSecretKey ? [config.previousSecretKey] : []
  return makeKeyRing('sso-connections', config.secretKey, previous)
}

/** Gives the organization of `dev-sign-in` a domain and a single sign-on, so that this way in can be tried too. */
export async function offerSingleSignOn(
  ground: { config: Config; db: Db; clock: Clock; log: Log },
  {
    domain,
    redirectName,
    registration,
  }: { domain: string; redirectName: string; registration: OidcRegistration },
): Promise<void> {
  const { config, db, clock, log } = ground
  const now = clock.now()
  try {
    const organization = await ensureOrganization(db, developmentOrganization, now)
    const claim = { organization: organization.id, domain }
    await claimDomain(db, { ...claim, challenge: 'sandbox' }, now)
    await settleDomain(db, { ...claim, state: 'verified' }, now)
    await keepLookUp(db, { ...claim, proven: true }, now)
    const connection = {
      ...registration,
      organization: organization.identityId,
      trustsEmail: false,
      redirectName,
    }
    await saveConnection(db, connectionRingOf(config), connection, now)
  } catch (error) {
    log.warn({ err: error, domain }, 'the sandbox offers no single sign-on')
  }
}
