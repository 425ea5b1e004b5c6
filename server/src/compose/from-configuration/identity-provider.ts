import { localIdentity } from '../../adapters/local-identity/local-identity.ts'
import type { OidcRegistration } from '../../adapters/local-identity/oidc.ts'
import { type BackgroundSender, backgroundSender } from '../../adapters/workos/background-sender.ts'
import { workosNews } from '../../adapters/workos/news.ts'
import { workosClient } from '../../adapters/workos/workos-client.ts'
import { workosIdentity } from '../../adapters/workos/workos-identity.ts'
import type { Config } from '../../configuration/config.ts'
import type { ProviderRegistration } from '../../configuration/config-identity.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import type { Log } from '../../platform/log.ts'
import type { Fetch } from '../../platform/outside/outside-fetch.ts'
import { publicFetch } from '../../platform/outside/public-fetch.ts'
import type { KeyRing } from '../../platform/secrets/sealed-column.ts'
import type { IdentityPort } from '../../ports/identity.ts'
import type { IdentityNewsPort } from '../../ports/identity-news.ts'
import { hashKeysOf, keyRingOf } from '../keys/key-rings.ts'
import { CONNECTION_KEYS } from '../keys/sealed-places.ts'

/** The stand-ins for social providers and for a customer's single sign-on: development and tests only. */
export interface StandInIssuers {
  registrations: { 'provider-a': OidcRegistration; 'provider-b': OidcRegistration; sso: OidcRegistration }
  fetch: Fetch
}

export interface IdentityContext {
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
export function openIdentity(context: IdentityContext): { identity: IdentityPort; work: IdentityWork } {
  const { config, db, clock, log, mailRing } = context
  if (!config.workos) return { identity: ownIdentity(context), work: NO_WORK }
  const { apiKey, clientId, apiUrl } = config.workos
  const { frontendUrl } = config
  const workos = workosClient({ apiKey: apiKey.reveal(), clientId, apiUrl })
  const sender = backgroundSender(log)
  return {
    identity: workosIdentity({ workos, clientId, db, clock, mailRing, frontendUrl, sender }),
    work: sender,
  }
}

function ownIdentity({ config, db, clock, log, mailRing, standIns }: IdentityContext): IdentityPort {
  const a = revealed(config.google) ?? standIns?.registrations['provider-a']
  const b = revealed(config.microsoft) ?? standIns?.registrations['provider-b']
  return localIdentity({
    db,
    clock,
    log,
    mailRing,
    codeKeys: hashKeysOf(config, 'email-codes'),
    frontendUrl: config.frontendUrl,
    providers: { ...(a ? { 'provider-a': a } : {}), ...(b ? { 'provider-b': b } : {}) },
    connectionRing: connectionRingOf(config),
    fetch: standIns?.fetch ?? vendorFetch(config),
    allowsHttp: config.environment !== 'production',
  })
}

/** Reaches addresses that customers and vendors have chosen: issuers, and the addresses that these name. */
export function vendorFetch(config: Config): Fetch {
  if (!config.allowPrivateIssuers) return publicFetch()
  return (url, init) => fetch(url, { ...init, redirect: 'manual' })
}

/** What is done at the identity provider beside us, where there is one that lets people be administered. */
export function openIdentityNews(config: Config): IdentityNewsPort | undefined {
  if (!config.workos) return undefined
  const { apiKey, clientId, apiUrl } = config.workos
  return workosNews(workosClient({ apiKey: apiKey.reveal(), clientId, apiUrl }))
}

function revealed(registration: ProviderRegistration | undefined): OidcRegistration | undefined {
  return registration && { ...registration, clientSecret: registration.clientSecret.reveal() }
}

/** Seals the client secrets of single sign-on. */
export function connectionRingOf(config: Config): KeyRing {
  return keyRingOf(config, CONNECTION_KEYS)
}
