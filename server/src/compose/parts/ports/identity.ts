import type { KnownCallers } from '../../../access/sessions/known-callers.ts'
import { deleteCodesOf } from '../../../adapters/local-identity/code-store.ts'
import { saveConnection } from '../../../adapters/local-identity/connection-store.ts'
import type { OidcRegistration } from '../../../adapters/local-identity/oidc.ts'
import type { Config } from '../../../configuration/config.ts'
import { claimDomain, keepLookUp, settleDomain } from '../../../directory/domains/domains.ts'
import { ensureOrganization } from '../../../directory/organizations.ts'
import { compareIdentity } from '../../../features/identity-sync/compare-identity.ts'
import { followIdentity } from '../../../features/identity-sync/follow-identity.ts'
import { identityQueue } from '../../../features/identity-sync/jobs.ts'
import { sweepPendingOrganizations } from '../../../features/organizations/sweep-pending-organizations.ts'
import { directoryHold } from '../../../features/scim/resources/held.ts'
import { developmentOrganization } from '../../../features/sign-in/dev-sign-in.ts'
import { eraseFromSignIn } from '../../../features/sign-in/erase.ts'
import { lookUpDomains, type ResolveText } from '../../../features/sign-in/federated/domain-proof.ts'
import {
  followSingleSignOn,
  singleSignOnQueue,
} from '../../../features/sign-in/federated/enforce-after-changes.ts'
import { serveSignInRoutes } from '../../../features/sign-in/routes.ts'
import type { DirectoryHold } from '../../../features/sign-in/sign-up/sign-up-steps.ts'
import type { Job } from '../../../platform/background/jobs.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/database/database.ts'
import type { Log } from '../../../platform/log.ts'
import { textResolver } from '../../../platform/outside/dns-text.ts'
import type { KeyRing } from '../../../platform/secrets/sealed-column.ts'
import type { IdentityPort } from '../../../ports/identity.ts'
import {
  connectionRingOf,
  type IdentityWork,
  openIdentity,
  openIdentityNews,
} from '../../from-configuration/identity-provider.ts'
import { signInRingsOf } from '../../keys/sealed-places.ts'
import type { Opening, Part } from '../../part.ts'
import { visitorOf } from '../../requests/visitor.ts'
import type { Access } from '../access.ts'
import type { Databases } from '../platform/databases.ts'
import type { Sandbox } from '../sandbox.ts'
import type { Mail } from './mail.ts'

const FOLLOW_EVERY_MS = 10_000
const SWEEP_EVERY_MS = 60_000
/** How often it is looked whether connections have changed elsewhere, or it is time to look at all. */
const ENFORCE_EVERY_MS = 5 * 60_000
/** How often it is looked whether a domain is due. */
const LOOK_UP_EVERY_MS = 10 * 60_000
/** How often it is looked whether it is time to. */
const COMPARE_EVERY_MS = 5 * 60_000

export interface Identity extends Part {
  needs: {
    identity: IdentityPort
    signUpByInvitation: boolean
    organizationsPerUser: number
    baseUrl: string
    frontendUrl: string
    choiceRing: KeyRing
    signUpRing: KeyRing
    redirectRing: KeyRing
    resolveText: ResolveText
    issuersByHttpsOnly: boolean
    issuersPublicOnly: boolean
  } & DirectoryHold
  work: IdentityWork
}

/** Who knows the people, and how they sign in. */
export async function openSignIn(
  { config, clock, log }: Opening,
  given: { databases: Databases; access: Access; mail: Mail; sandbox: Sandbox },
): Promise<Identity> {
  const { background, db } = given.databases
  const { callers } = given.access
  const { mailRing } = given.mail.needs
  const { standIns } = given.sandbox
  const resolveText = textResolver()
  const { identity, work } = openIdentity({ config, db, clock, log, mailRing, standIns: standIns?.issuers })
  if (standIns && !config.workos)
    await offerSingleSignOn(
      { config, db: background, clock, log },
      { ...standIns.singleSignOn, registration: standIns.issuers.registrations.sso },
    )
  return {
    needs: {
      identity,
      signUpByInvitation: config.signUpByInvitation,
      organizationsPerUser: config.limits.organizationsPerUser,
      baseUrl: config.baseUrl,
      frontendUrl: config.frontendUrl,
      ...signInRingsOf(config),
      resolveText,
      issuersByHttpsOnly: config.environment === 'production',
      issuersPublicOnly: !config.allowPrivateIssuers,
      ...directoryHold,
    },
    work,
    queues: [
      identityQueue({ db: background, identity }),
      singleSignOnQueue({ db: background, clock, log, callers, identity }),
    ],
    erasers: [
      { name: 'sign-in', erase: (person) => eraseFromSignIn(background, person, clock.now()) },
      { name: 'codes', erase: ({ emails, deletedAt }) => deleteCodesOf(background, emails, deletedAt) },
      { name: 'identity provider', erase: ({ identityId }) => identity.deleteUser({ user: identityId }) },
    ],
    jobs: identityJobs({ config, db: background, clock, log, callers, identity, resolveText }),
    routes(server, { needs }) {
      serveSignInRoutes(server, { ...needs, log, callers }, (request, reply) =>
        visitorOf(config, request, reply),
      )
    },
    // only requests give it work, and it queues mails: it ends before they are delivered for the last time
    start(stack) {
      stack.defer(() => work.stop())
    },
  }
}

/** Tells the provider what is changed here, and follows what is changed there, where that can be asked for. */
function identityJobs(context: {
  config: Config
  db: Db
  clock: Clock
  log: Log
  callers: KnownCallers
  identity: IdentityPort
  resolveText: ResolveText
}): Job[] {
  const { config, db, clock, log, callers, identity, resolveText } = context
  const news = openIdentityNews(config)
  const sweep: Job = {
    name: 'sweep-pending-organizations',
    everyMs: SWEEP_EVERY_MS,
    run: (signal) => sweepPendingOrganizations({ db, clock, log, identity }, signal),
  }
  const lookUp: Job = {
    name: 'look-up-domains',
    everyMs: LOOK_UP_EVERY_MS,
    run: (signal) => lookUpDomains({ db, clock, log, resolveText }, signal),
  }
  const enforce: Job = {
    name: 'enforce-single-sign-on',
    everyMs: ENFORCE_EVERY_MS,
    run: followSingleSignOn(
      { db, clock, log, callers, identity },
      { changesElsewhere: identity.connections === null },
    ),
  }
  const always = [sweep, lookUp, enforce]
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

/** Gives the organization of `dev-sign-in` a domain and a single sign-on, so that this way in can be tried too. */
async function offerSingleSignOn(
  context: { config: Config; db: Db; clock: Clock; log: Log },
  {
    domain,
    redirectName,
    registration,
  }: { domain: string; redirectName: string; registration: OidcRegistration },
): Promise<void> {
  const { config, db, clock, log } = context
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
