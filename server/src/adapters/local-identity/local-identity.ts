import { randomInt } from 'node:crypto'
import { type Clock, secondsAfter } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { newIdentityId, trusted } from '../../platform/ids.ts'
import type { Log } from '../../platform/log.ts'
import { queueMail } from '../../platform/mail/mail-queue.ts'
import { outside } from '../../platform/outside/outside.ts'
import type { Fetch } from '../../platform/outside/outside-fetch.ts'
import type { KeyRing } from '../../platform/secrets/sealed-column.ts'
import { keyedHash, type RotatingKey } from '../../platform/secrets/secret.ts'
import type { IdentityPort, RedirectWay, SocialProvider } from '../../ports/identity.ts'
import { type Authority, toAssertedIdentity } from './asserted-identity.ts'
import { replaceCode, spendCode, tryCode } from './code-store.ts'
import { findConnection, hasConnection, listConnected, type RedirectAddress } from './connection-store.ts'
import {
  type IssuerSignOut,
  openSignOut,
  pageAfterSignOut,
  sealSignOut,
  signOutAddress,
} from './issuer-sign-out.ts'
import { codeMail, noAccountMail, singleSignOnMail } from './mails.ts'
import { type OidcRegistration, type OidcSecrets, oidcSignIn } from './oidc.ts'
import { ownConnections } from './own-connections.ts'
import { redirectAddresses } from './redirect-addresses.ts'

const CODE_DIGITS = 6
const CODE_LIFETIME_SECONDS = 10 * 60
const CODE_TRIES = 5
const NO_BROWSER = Buffer.alloc(0)
/** Which vendor stands behind which letter. */
const AUTHORITIES = { 'provider-a': 'google', 'provider-b': 'microsoft' } as const satisfies Record<
  SocialProvider,
  string
>
const PROVIDERS = Object.keys(AUTHORITIES) as SocialProvider[]

export interface LocalIdentityNeeds {
  db: Db
  clock: Clock
  log: Pick<Log, 'warn'>
  /** Seals the mails that wait in the queue: they carry codes. */
  mailRing: KeyRing
  /** Keys the hash of codes: a plain hash of six digits is undone at once. */
  codeKeys: RotatingKey
  frontendUrl: string
  /** Our registrations at the social providers; without one, that way in does not exist. */
  providers: Partial<Record<SocialProvider, OidcRegistration>>
  /** Opens the client secrets of single sign-on. */
  connectionRing: KeyRing
  fetch: Fetch
  /** Issuers without https: development and tests only. */
  allowsHttp: boolean
}

type Registration = OidcRegistration & {
  authority: Authority
  address?: RedirectAddress
  endsSessions?: boolean
}

/** The identity port served by this office itself: e-mailed codes; ids of our own making. */
export function localIdentity(needs: LocalIdentityNeeds): IdentityPort {
  const hashOf = (key: Uint8Array, email: string, code: string) => keyedHash(key, 'email-code', email, code)
  const oidc = oidcSignIn(needs)
  const addresses = redirectAddresses(needs.log)
  const signOutOf = (signOut: IssuerSignOut) =>
    sealSignOut(needs.connectionRing, signOutAddress(signOut, pageAfterSignOut(needs.frontendUrl)))
  const registrationOf = async (way: RedirectWay): Promise<Registration | undefined> => {
    if (way.kind === 'sso') {
      const connection = await findConnection(needs.db, needs.connectionRing, way.organization)
      const authority = connection?.trustsEmail ? 'trusted-organization' : 'organization'
      return connection && { ...connection, authority, address: connection }
    }
    const registration = needs.providers[way.kind]
    return registration && { ...registration, authority: AUTHORITIES[way.kind] }
  }
  return {
    waysIn: ['code', 'sso', ...PROVIDERS.filter((way) => needs.providers[way])],
    connections: ownConnections({ ...needs, oidc, addresses }),
    async sendCode({ email, language, hasAccount, browserHash, joining, singleSignOnOnly }) {
      const now = needs.clock.now()
      const expiresAt = secondsAfter(now, CODE_LIFETIME_SECONDS)
      const code = randomInt(0, 10 ** CODE_DIGITS)
        .toString()
        .padStart(CODE_DIGITS, '0')
      // Without an account the same steps are taken with a code that is not mailed.
      const addressee = { to: email, language }
      const mail = singleSignOnOnly
        ? singleSignOnMail(needs, addressee)
        : hasAccount
          ? codeMail(needs, addressee, { code, minutes: CODE_LIFETIME_SECONDS / 60, joining })
          : noAccountMail(needs, addressee)
      await likeOthers('sendCode', () =>
        transaction(needs.db, async (tx) => {
          const hash = hashOf(needs.codeKeys.current, email, code)
          await replaceCode(tx, { email, browserHash, hash, expiresAt }, now)
          await queueMail(tx, needs.mailRing, mail, { mailClass: 'code', now, notAfter: expiresAt })
        }),
      )
    },
    async proveByCode({ email, code, browserHash }) {
      const hashes = needs.codeKeys.all.map((key) => hashOf(key, email, code.trim()))
      const attempt = { email, browserHash, hashes, triesMax: CODE_TRIES }
      const right = await likeOthers('proveByCode', () => tryCode(needs.db, attempt, needs.clock.now()))
      // A code of an earlier release names no browser: it has asked for nothing else than to sign in.
      return (
        right && {
          email,
          askedBy: right.askedBy ?? NO_BROWSER,
          session: null,
          choice: null,
          spend: (tx) => spendCode(tx, right.id, needs.clock.now()),
        }
      )
    },
    // It keeps no session of its own.
    async chooseOrganization() {
      return { session: null }
    },
    async createUser() {
      return trusted.identityUserId(newIdentityId('user', needs.clock.now()))
    },
    async createOrganization() {
      return trusted.identityOrganizationId(newIdentityId('org', needs.clock.now()))
    },
    // The directory is the only record of people, organizations, memberships and names here.
    changeEmail: async () => true,
    async deleteUser() {},
    async discardOrganization() {},
    async createMembership() {},
    async startRedirect({ way, state, redirectUri, loginHint }) {
      const registration = await registrationOf(way)
      if (!registration) return undefined
      const parameters = loginHint === undefined ? {} : { login_hint: loginHint }
      const redirectUriAt = (issuer: { namesItself: boolean }) =>
        addresses.choose(redirectUri, registration, issuer)
      const started = await oidc.start(registration, { state, redirectUriAt, parameters })
      return { ...started, secrets: JSON.stringify(started.secrets) }
    },
    async finishRedirect({ way, callbackUrl, state, secrets }) {
      const registration = await registrationOf(way)
      if (!registration || !addresses.accept(callbackUrl, registration)) return undefined
      const kept = JSON.parse(secrets) as OidcSecrets
      // what a social provider lacks, a mailed code proves
      const asksUserinfo = way.kind === 'sso'
      const answer = await oidc.finish(registration, { callbackUrl, state, secrets: kept, asksUserinfo })
      if (!answer) return undefined
      const asserted = toAssertedIdentity(answer.claims, registration.authority)
      if ('obstacle' in asserted || !registration.endsSessions || !answer.signOut) return asserted
      return { ...asserted, session: signOutOf(answer.signOut) }
    },
    hasSingleSignOn: (organization) => hasConnection(needs.db, organization),
    listSingleSignOn: () => listConnected(needs.db),
    async removeMembership() {},
    async renameOrganization() {},
    logoutUrl: ({ returnTo, session }) => openSignOut(needs.connectionRing, session) ?? returnTo,
  }
}

/** What another provider is called for is called the same way here; errors of our own database stay what they are. */
function likeOthers<T>(action: string, work: () => Promise<T>): Promise<T> {
  return outside({ provider: 'local identity', action }, work, (error) => error)
}
